/** Times one save and its parts. */
export class Stopwatch {
  readonly #start = performance.now();
  readonly #parts: string[] = [];
  #last = this.#start;

  /** Names the part that took the time since the previous part. */
  lap(part: string): void {
    const now = performance.now();
    this.#parts.push(`${part} ${Math.round(now - this.#last)}`);
    this.#last = now;
  }

  /** In milliseconds: `812 ms (contract 120, types 92, service 600)`. */
  toString(): string {
    return `${Math.round(this.#last - this.#start)} ms (${this.#parts.join(", ")})`;
  }
}
