import { HttpError } from "./http-error.js";

/** Query parameters by name in a null-prototype object; a name that comes more than once has an array. */
export type Query = Record<string, string | string[]>;

/**
 * Parses the part of a URL after `?` as `application/x-www-form-urlencoded`: `a+b` is `a b`, `=` may be missing.
 * @throws {HttpError} `malformed_request` for a bad percent-escape or one that is not UTF-8.
 * @see https://url.spec.whatwg.org/#urlencoded-parsing (which would let bad escapes pass)
 */
export function parseQuery(text: string): Query {
  const query = Object.create(null) as Query;
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decode(pair.slice(equals + 1), name);
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (Array.isArray(earlier)) earlier.push(value);
    else query[name] = [earlier, value];
  }
  return query;
}

function decode(text: string, name?: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    const where = name === undefined ? "The query" : `Query parameter "${name}"`;
    throw new HttpError("malformed_request", { message: `${where} has a bad percent-escape` });
  }
}
