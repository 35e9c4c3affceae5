import { ItemReader } from "../client/streams/items.js";
import { findMediaType, findResponse } from "../core/http/index.js";
import type { MediaType } from "../core/model/index.js";
import type { Tool } from "./tools.js";

/** Sees the body of a response as it arrives. */
export interface Watch {
  begin(status: number, contentType: string): void;
  chunk(bytes: Uint8Array): void;
}

/** Items beyond this many are in the result only, so that a fast stream does not flood the client. */
const MAX_REPORTED = 1_000;

/** Longest item that is reported, in characters. */
const MAX_ITEM = 1_048_576;

/**
 * Watches a response for the items of a stream.
 * @param report Gets each item, and its number from 1.
 */
export function watchItems(
  tool: Tool,
  report: (item: unknown, count: number) => Promise<void>,
): Watch & { /** Resolves when the items that have arrived are reported. */ end(): Promise<void> } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let reported: Promise<void> = Promise.resolve();
  return {
    begin(status, contentType) {
      const items = findDeclared(tool, status, contentType)?.items;
      if (items === undefined) return;
      const body = new ReadableStream<Uint8Array>({
        start(created) {
          controller = created;
        },
      });
      const headers = { "Content-Type": contentType };
      const reader = new ItemReader(new Response(body, { headers }), items.events);
      reported = reportAll(reader, report).finally(() => {
        controller = undefined;
      });
    },
    chunk(bytes) {
      controller?.enqueue(bytes);
    },
    async end() {
      controller?.close();
      await reported;
    },
  };
}

async function reportAll(
  reader: ItemReader,
  report: (item: unknown, count: number) => Promise<void>,
): Promise<void> {
  let count = 0;
  try {
    for await (const item of reader.read({ signal: undefined, maxBody: MAX_ITEM })) {
      count += 1;
      await report(item, count);
      if (count >= MAX_REPORTED) return;
    }
  } catch {
    // The result says what is wrong with the stream. Its last item is half if it was left.
  }
}

/** Finds the declared media type of a response. */
export function findDeclared(
  { operation: { responses } }: Tool,
  status: number,
  contentType: string,
): MediaType | undefined {
  const { mediaTypes = [] } = findResponse(responses, status) ?? {};
  return findMediaType(mediaTypes, contentType);
}
