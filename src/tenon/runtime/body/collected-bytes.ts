/** Chunks with fewer bytes are put together. */
const SMALL = 1_024;

/** Number of small chunks that wait to be put together. */
const MOST_SMALL = 1_024;

const EMPTY = Buffer.alloc(0);

/**
 * Collects the chunks of a body. Callers choose their sizes, and a chunk of one byte takes some hundred bytes of memory: small ones
 * are put together.
 */
export class CollectedBytes {
  /** Number of bytes. */
  size = 0;
  #chunks: Buffer[] = [];
  #small: Buffer[] = [];

  add(chunk: Buffer): void {
    this.size += chunk.byteLength;
    if (chunk.byteLength < SMALL && this.#small.push(chunk) < MOST_SMALL) return;
    this.#join();
    if (chunk.byteLength >= SMALL) this.#chunks.push(chunk);
  }

  /** Returns all bytes, and starts again. */
  take(): Buffer {
    this.#join();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.size = 0;
    return chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? EMPTY);
  }

  #join(): void {
    const [only] = this.#small;
    if (only === undefined) return;
    this.#chunks.push(this.#small.length === 1 ? only : Buffer.concat(this.#small));
    this.#small = [];
  }
}
