/** What keeps a text from being the value it should be. The message completes `Query parameter "limit" …`. */
export class ValueProblem extends Error {
  override readonly name = "ValueProblem";

  constructor(
    message: string,
    /** Names of properties and indexes of items that lead to it, from the value down. */
    readonly path: readonly string[] = [],
    /** Not even a text: a bad percent-escape. */
    readonly isMalformed = false,
  ) {
    super(message);
  }
}
