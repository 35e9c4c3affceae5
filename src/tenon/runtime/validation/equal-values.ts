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
