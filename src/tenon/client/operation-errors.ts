/**
 * A call got no response, or only a part of one: the network failed, or the connection was closed. Its `cause` is the error of `fetch`.
 * @example
 * try {
 *   await client.listPets();
 * } catch (error) {
 *   if (error instanceof ConnectionError) console.error(error.operationId, error.cause);
 *   else throw error;
 * }
 */
export class ConnectionError extends TypeError {
  override readonly name = "ConnectionError";

  constructor(
    /** The `operationId`. */
    readonly operationId: string,
    cause: Error,
  ) {
    // `fetch` of Node.js gives its reason in a cause of its own.
    const why = cause.cause instanceof Error && cause.cause.message !== "" ? ` (${cause.cause.message})` : "";
    super(`${operationId} got no complete response: ${cause.message}${why}`, { cause });
  }
}

/** Converts the `TypeError` of `fetch` for a network that fails. Other errors are those of one's own `fetch`, and stay as they are. */
export function toConnectionError(operationId: string, error: unknown): unknown {
  const isLost = error instanceof Error && error.name === "TypeError";
  return isLost ? new ConnectionError(operationId, error) : error;
}

/**
 * Names the operation in the error about a value that cannot be sent.
 * @throws {TypeError}
 */
export function nameOperation<Value>(operationId: string, make: () => Value): Value {
  try {
    return make();
  } catch (cause) {
    throw new TypeError(`${operationId}: ${(cause as Error).message}`, { cause });
  }
}
