/** The reason why a text is not a valid value. The message completes `Query parameter "limit" …`. */
export class ValueProblem extends Error {
  override readonly name = "ValueProblem";

  constructor(
    message: string,
    /** Path from the value to the problem: names of properties and indexes of items. */
    readonly path: readonly string[] = [],
    /** True if the text cannot be decoded: a bad percent-escape. */
    readonly isMalformed = false,
  ) {
    // A form may have thousands of them, and a stack costs more than all the rest. Only V8 has the limit.
    const engine: ErrorConstructor & { stackTraceLimit?: number | undefined } = Error;
    const { stackTraceLimit } = engine;
    engine.stackTraceLimit = 0;
    super(message);
    engine.stackTraceLimit = stackTraceLimit;
  }
}
