import { HttpError } from "tenon/runtime/portable";

/** The response that a request asks for, as in Prism: `Prefer: code=404, example=unknown, dynamic=true, seed=x`. */
export interface Preferences {
  /** A status that the operation declares. */
  readonly code: number | undefined;
  /** Name of one of the response's examples. */
  readonly example: string | undefined;
  /** Generates the response even where there are examples. */
  readonly dynamic: boolean | undefined;
  /** The same seed gives the same generated values. */
  readonly seed: string | undefined;
}

/** Query parameters with the same meaning, for links and clients that cannot set headers. */
const PARAMETERS = ["code", "example", "dynamic", "seed"].map((name) => [`__${name}`, name] as const);

/**
 * Parses the `Prefer` header. Unknown preferences are ignored (RFC 7240, section 2).
 * @throws {HttpError} `invalid_parameter` when `code` or `dynamic` is invalid.
 */
export function readPreferences(header: string | readonly string[] = ""): Preferences {
  const given = parsePrefer(String(header));
  const [code, example, dynamic, seed] = PARAMETERS.map(([, name]) => given.get(name));
  if (code !== undefined && !/^\d{3}$/.test(code)) throw refuse("code", "a status of three digits", code);
  if (dynamic !== undefined && !/^(?:true|false)$/.test(dynamic))
    throw refuse("dynamic", "true or false", dynamic);
  return {
    code: code === undefined ? undefined : Number(code),
    example,
    dynamic: dynamic === undefined ? undefined : dynamic === "true",
    seed,
  };
}

function refuse(name: string, wanted: string, found: string): HttpError {
  const message = `Prefer: ${name} must be ${wanted} (received ${JSON.stringify(found)})`;
  return HttpError.refusal("invalid_parameter", { message });
}

/** The first preference of a name wins, and parameters of preferences are ignored (RFC 7240, section 2). */
function parsePrefer(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [preference] of header.matchAll(/(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g)) {
    const [, name = "", quoted, token = ""] =
      /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\[^])*)"\s*|([^;]*)))?(?:;|$)/.exec(preference) ??
      [];
    const value = quoted === undefined ? token.trimEnd() : quoted.replace(/\\([^])/g, "$1");
    if (name !== "" && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  return found;
}

/**
 * Removes the preferences from a request's target, because the contract does not declare such parameters:
 * `/pets?limit=2&__code=404` is `/pets?limit=2` with `code=404`.
 * @returns undefined when there are none. `prefer` is the value of a `Prefer` header; a request's own header wins as a whole.
 */
export function takePreferences(
  target: string,
): { readonly target: string; readonly prefer: string } | undefined {
  const [path = "", query] = target.split(/\?([^]*)/);
  const pairs = query?.split("&") ?? [];
  const isPreference = (pair: string) =>
    PARAMETERS.some(([name]) => pair === name || pair.startsWith(`${name}=`));
  if (!pairs.some(isPreference)) return undefined;
  const given = new URLSearchParams(pairs.filter(isPreference).join("&"));
  const prefer = PARAMETERS.flatMap(([parameter, name]) => {
    const value = given.get(parameter);
    return value === null ? [] : `${name}="${value.replace(/["\\]/g, "\\$&")}"`;
  });
  const rest = pairs.filter((pair) => !isPreference(pair)).join("&");
  return { target: rest === "" ? path : `${path}?${rest}`, prefer: prefer.join(", ") };
}
