/**
 * Finds the key of `responses` that declares a status code: the code itself, then its range, then `default`.
 * 404 is declared by `404`, `4XX` or `default`.
 */
export function findStatusKey(keys: Iterable<string>, status: number): string | undefined {
  const declared = new Set(keys);
  return [String(status), `${Math.floor(status / 100)}XX`, "default"].find((key) => declared.has(key));
}

/** Finds the response that declares a status code. */
export function findResponse<Response extends { readonly status: string }>(
  responses: readonly Response[],
  status: number,
): Response | undefined {
  const key = findStatusKey(
    responses.map((response) => response.status),
    status,
  );
  return responses.find((response) => response.status === key);
}

/**
 * Lists the media types that `Accept` selects from: those of the successful responses, in document order. `default` counts only
 * if no success is declared, because otherwise it describes errors.
 */
export function findNegotiated(
  responses: readonly {
    readonly status: string;
    readonly mediaTypes: readonly { readonly name: string }[];
  }[],
): readonly string[] {
  const successes = responses.filter(({ status }) => status.startsWith("2"));
  const chosen = successes.length > 0 ? successes : responses.filter(({ status }) => status === "default");
  return [...new Set(chosen.flatMap(({ mediaTypes }) => mediaTypes.map(({ name }) => name)))];
}
