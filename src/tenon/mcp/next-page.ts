import { findNextLink } from "../core/http/link.js";
import type { Tool } from "./tools.js";

/** A call of a tool, as it was sent. */
export interface SentCall {
  /** Path below the contract's base path, with its query. */
  readonly target: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Finds the arguments of the next page, from `Link: <…>; rel="next"` (RFC 8288): those of its query, and those of the call that are not
 * in the query.
 * @returns undefined on the last page, and for a link that is invalid or leads elsewhere.
 */
export function findNextPage(
  { arguments: known, inputSchema, outputSchema }: Tool,
  headers: Headers,
  sent: SentCall,
): Record<string, unknown> | undefined {
  const link = Object.hasOwn(outputSchema.properties, "next") && findNextLink(headers.get("link") ?? "");
  const base = `http://service.invalid${sent.target}`;
  if (link === undefined || link === false || !URL.canParse(link, base)) return undefined;
  const { pathname, searchParams } = new URL(link, base);
  const path = decode(new URL(base).pathname);
  if (path === undefined || decode(pathname)?.endsWith(path) !== true) return undefined;
  const toArgument = (name: string, text: string): unknown => {
    const { type } = (inputSchema.properties[name] ?? {}) as { readonly type?: unknown };
    return type === "integer" || type === "number" || type === "boolean" ? toScalar(text) : text;
  };
  const next = [...searchParams].flatMap(([name, value]) => {
    const argument = known.find((one) => one.in === "query" && one.target === name);
    return argument === undefined ? [] : [[argument.name, toArgument(argument.name, value)] as const];
  });
  if (next.length === 0) return undefined;
  const kept = known.flatMap(({ name, in: place }) =>
    place !== "query" && Object.hasOwn(sent.arguments, name) ? [[name, sent.arguments[name]] as const] : [],
  );
  return Object.fromEntries([...kept, ...next]);
}

/** @returns undefined for a bad percent-escape. */
function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function toScalar(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
