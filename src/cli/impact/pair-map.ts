import type ts from "#typescript";

/** A map whose keys are two types, and that remembers in which order they came. */
export class PairMap<Value> {
  readonly #values = new Map<ts.Type, Map<ts.Type, Value>>();
  readonly #order: (readonly [ts.Type, ts.Type])[] = [];

  get size(): number {
    return this.#order.length;
  }

  get(before: ts.Type, after: ts.Type): Value | undefined {
    return this.#values.get(before)?.get(after);
  }

  /** Of a pair that it does not have. */
  set(before: ts.Type, after: ts.Type, value: Value): void {
    const values = this.#values.get(before) ?? new Map<ts.Type, Value>();
    this.#values.set(before, values.set(after, value));
    this.#order.push([before, after]);
  }

  /** Of the pair that came last. */
  pop(): void {
    const last = this.#order.pop();
    if (last !== undefined) this.#values.get(last[0])?.delete(last[1]);
  }

  /** Forgets those that came last, until there are so many. */
  shrink(size: number): void {
    while (this.#order.length > size) this.pop();
  }
}
