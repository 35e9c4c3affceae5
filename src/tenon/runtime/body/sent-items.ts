/** An item of a request body, before validation. */
export interface SentItem {
  readonly value: unknown;
  /** Number of items before it. */
  readonly index: number;
  /** Its place for the sender: `Line 3`. */
  readonly place: string;
}

/** The text of an item, and its place for the sender. */
export interface ItemPart<Bytes extends Uint8Array = Uint8Array> {
  readonly place: string;
  readonly bytes: Bytes;
}

/** Number of items after which other requests get their turn. */
const TURN_ITEMS = 256;

/** The items of a request body, which are parsed while they are iterated. */
export class SentItems<Bytes extends Uint8Array = Uint8Array> {
  /** Called for each item before validation; returns a function that is called when the item is valid. */
  observe: (item: unknown) => () => void = () => () => undefined;

  /**
   * @param parts Those of each chunk.
   * @param parse Parses an item; throws if it cannot be kept exactly.
   * @param endTurn Lets other requests get their turn. Default: they do not.
   */
  constructor(
    private readonly parts: AsyncIterable<Iterable<ItemPart<Bytes>>>,
    private readonly parse: (bytes: Bytes, place: string) => unknown,
    private readonly endTurn?: () => Promise<void>,
  ) {}

  /**
   * Reads the items.
   * @param validate Throws for an invalid item, and puts defaults into a valid one.
   */
  async *read(validate: (item: SentItem) => void): AsyncGenerator<unknown, void> {
    let index = 0;
    for await (const parts of this.parts) {
      for (const { place, bytes } of parts) {
        const value = this.parse(bytes, place);
        const found = this.observe(value);
        validate({ value, index, place });
        found();
        yield value;
        index += 1;
        // A chunk may have thousands of items.
        if (index % TURN_ITEMS === 0) await this.endTurn?.();
      }
    }
  }
}
