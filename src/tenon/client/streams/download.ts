import { BrokenStreamError } from "./items.js";
import { orAborted, readBlob } from "./items.js";
import { createConnector, type Reconnection } from "./reconnect.js";

/**
 * Reads the bytes of a response as a Blob, or as a stream if the caller asks for it. Generated code passes it to {@link defineCall} for
 * the operations that have such responses.
 * @example
 * const exportPets: ClientOperation = {
 *   id: "exportPets",
 *   method: "get",
 *   path: "/pets/export",
 *   responses: [[200, "application/zip"]],
 *   readBytes,
 * };
 * @returns undefined for more bytes than the client's `maxBody`.
 */
export async function readBytes(
  response: Response,
  reconnection: Reconnection,
  parseAs: "stream" | undefined,
): Promise<Blob | ReadableStream<Uint8Array> | undefined> {
  const bytes = openDownload(response, reconnection);
  if (parseAs === "stream") return bytes;
  return readBlob(bytes, response.headers.get("Content-Type") ?? "", reconnection);
}

/**
 * Opens the bytes of a response. If the connection breaks, the client asks for the rest of the same bytes: the server must support
 * ranges, and say by an `ETag` or `Last-Modified` that they are the same.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14
 */
function openDownload(
  first: Response,
  { operationId, signal, reconnect, connect }: Reconnection,
): ReadableStream<Uint8Array> {
  const leaving = new AbortController();
  const ending = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
  const connectAgain = createConnector(reconnect, ending);
  const validator = reconnect === undefined ? undefined : findValidator(first);
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined = first.body?.getReader();
  let received = 0;
  const fail = (why: string, cause?: unknown, response = first): Error =>
    new BrokenStreamError(received, response, why, { operationId, cause, unit: "bytes" });

  const readOn = async (cause: unknown): Promise<void> => {
    if (validator === undefined) throw fail("the connection was closed", cause);
    const next = await connectAgain({
      connect: () => connect({ Range: `bytes=${received}-`, "If-Range": validator }),
      accepts: ({ status, headers }) =>
        status === 206 && headers.get("Content-Range")?.startsWith(`bytes ${received}-`) === true,
      fail,
      cause,
      received,
    });
    reader = next.body?.getReader();
    if (ending.aborted) await reader?.cancel();
  };

  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          try {
            const chunk = reader && (await orAborted(reader.read(), ending));
            if (chunk?.value === undefined) controller.close();
            else {
              received += chunk.value.byteLength;
              controller.enqueue(chunk.value);
            }
            return;
          } catch (cause) {
            if (ending.aborted) void reader?.cancel(ending.reason).catch(() => undefined);
            ending.throwIfAborted();
            await readOn(cause);
          }
        }
      },
      async cancel(reason) {
        leaving.abort(reason);
        // The connection may have broken.
        await reader?.cancel(reason).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Finds the validator that identifies the bytes. Offsets of compressed bytes differ from those of the bytes that are read. */
function findValidator({ status, headers }: Response): string | undefined {
  const canContinue = status === 200 && headers.get("Accept-Ranges") === "bytes";
  if (!canContinue || headers.has("Content-Encoding")) return undefined;
  const etag = headers.get("ETag");
  return (etag?.startsWith('"') === true ? etag : headers.get("Last-Modified")) ?? undefined;
}
