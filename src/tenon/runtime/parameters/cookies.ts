import { addPair, type Pairs, splitPair } from "./query.js";

/**
 * Parses a `Cookie` header; none when it is absent. Values are as they were sent, without the quotes they may be in.
 * @param separator Of the cookies. Default: `;`.
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-4.2.1
 */
export function parseCookies(header: string | undefined, separator: string | RegExp = ";"): Pairs {
  const pairs = new Map<string, string[]>();
  for (const cookie of header?.split(separator) ?? []) {
    if (!cookie.includes("=")) continue;
    const [name, value] = splitPair(cookie);
    addPair(pairs, name.trim(), value.trim().replace(/^"(.*)"$/, "$1"));
  }
  return pairs;
}
