/** Gives equal JSON values equal texts. Each object and array is read once, also where lists within lists are compared. */
export class EqualValues {
  readonly #numbers = new Map<string, number>();
  readonly #known = new WeakMap<object, string>();

  /**
   * Objects and arrays are numbered by their content. Texts have a prefix: V8 hashes texts such as `12` without a secret, so that a
   * caller could choose texts with equal hashes.
   */
  toText(value: unknown): string {
    if (typeof value === "string") return JSON.stringify(value);
    if (typeof value !== "object" || value === null) return `=${String(value)}`;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const content = this.#toContent(value);
    const number = this.#numbers.get(content) ?? this.#numbers.size;
    this.#numbers.set(content, number);
    const text = `#${number}`;
    this.#known.set(value, text);
    return text;
  }

  #toContent(value: object): string {
    if (value instanceof Date) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map((item) => this.toText(item)).join()}]`;
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}:${this.toText(member)}`,
    );
    return `{${members.sort().join()}}`;
  }
}

/** The indexes of two equal items. */
export interface EqualItems {
  /** The last item that is equal to an earlier one. */
  readonly i: number;
  /** The nearest one before it. */
  readonly j: number;
}

/** Finds two equal items in time that grows with the size of the array, whatever the items are. */
export function findEqualItems(items: readonly unknown[], values: EqualValues): EqualItems | undefined {
  const seen = new Map<string, number>();
  let found: EqualItems | undefined;
  for (const [i, item] of items.entries()) {
    const text = values.toText(item);
    const j = seen.get(text);
    if (j !== undefined) found = { i, j };
    seen.set(text, i);
  }
  return found;
}
