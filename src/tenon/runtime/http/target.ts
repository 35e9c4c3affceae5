/**
 * Splits a request target into its raw path and its query without `?`.
 * The absolute form `http://host/v1/pets` is one that servers must accept (RFC 9112, section 3.2.2).
 */
export function splitTarget(target: string): { path: string; query: string } {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i.exec(target)?.[0] ?? "";
  const rest = target.slice(origin.length);
  const mark = rest.indexOf("?");
  return mark === -1 ? { path: rest, query: "" } : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}
