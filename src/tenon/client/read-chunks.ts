/** How the body of a response is read. */
export interface Reading {
  /** Ends reading when it is aborted. */
  readonly signal: AbortSignal | undefined;
  /** Bytes of a body that is read as a whole, and characters of an item. */
  readonly maxBody: number;
}

/**
 * Rejects when the signal is aborted, whatever becomes of the promise. Node forgets the signal of a request that it has collected as
 * garbage, so that `fetch` and the body do not end.
 * @see https://github.com/nodejs/undici/issues/4068
 */
export function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    const settle = (): void => {
      signal.removeEventListener("abort", abort);
    };
    promise.then(resolve, reject).finally(settle);
  });
}

/** Reads a body. Leaving the loop closes the connection. */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  let isEnded = false;
  try {
    for (;;) {
      const { value } = await orAborted(reader.read(), signal);
      isEnded = value === undefined;
      if (value === undefined) return;
      yield value;
    }
  } finally {
    if (!isEnded) void reader.cancel().catch(() => undefined);
  }
}

/**
 * Reads a body as text.
 * @returns the text, and whether it is whole: what is beyond the limit is not read.
 */
export async function readText(
  response: Response,
  { signal, maxBody }: Reading,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  // Some platforms have texts only.
  if (!response.body) return { text: await orAborted(response.text(), signal), isWhole: true };
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBody;
  for await (const chunk of readChunks(response.body, signal)) {
    const isLast = chunk.byteLength > left;
    text += decoder.decode(isLast ? chunk.subarray(0, left) : chunk, { stream: true });
    if (isLast) return { text, isWhole: false };
    left -= chunk.byteLength;
  }
  return { text: text + decoder.decode(), isWhole: true };
}

/**
 * Reads a body as bytes.
 * @returns undefined if it has more bytes than the limit.
 */
export async function readBlob(
  body: ReadableStream<Uint8Array>,
  type: string,
  { signal, maxBody }: Reading,
): Promise<Blob | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of readChunks(body, signal)) {
    size += chunk.byteLength;
    if (size > maxBody) return undefined;
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
  }
  return new Blob(chunks, { type });
}
