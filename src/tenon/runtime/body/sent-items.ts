/** An item of a request body, before validation. */
export interface SentItem {
  readonly value: unknown;
  /** Number of items before it. */
  readonly index: number;
  /** Its place for the sender: `Line 3`. */
  readonly place: string;
}

/** An item with its place for the sender. */
export type ReceivedItem = Pick<SentItem, "value" | "place">;

/** Number of items after which other requests get their turn. */
const TURN_ITEMS = 256;

/** The items of a request body, which are parsed while they are iterated. */
export class SentItems {
  /** Called for each item before validation; returns a function that is called when the item is valid. */
  observe: (item: unknown) => () => void = () => () => undefined;

  /**
   * @param source The items that are complete with each chunk, parsed when they are asked for.
   * @param endTurn Lets other requests get their turn. Default: they do not.
   */
  constructor(
    private readonly source: AsyncIterable<Iterable<ReceivedItem>>,
    private readonly endTurn?: () => Promise<void>,
  ) {}

  /**
   * Reads the items.
   * @param validate Throws for an invalid item, and puts defaults into a valid one.
   */
  async *read(validate: (item: SentItem) => void): AsyncGenerator<unknown, void> {
    let index = 0;
    for await (const items of this.source) {
      for (const { place, value } of items) {
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
