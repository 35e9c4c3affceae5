/**
 * Finds the key of `responses` that declares a status code: the code itself, then its range, then `default`.
 * 404 is declared by `404`, `4XX` or `default`.
 */
export function findStatusKey(keys: Iterable<string>, status: number): string | undefined {
  const declared = new Set(keys);
  return [String(status), `${Math.floor(status / 100)}XX`, "default"].find((key) => declared.has(key));
}

/** The response that declares a status code. */
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
