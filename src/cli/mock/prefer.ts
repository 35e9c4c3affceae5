import { HttpError } from "tenon/runtime/errors/http-error";

/** How a request wants to be answered, in the words of Prism: `Prefer: code=404, example=unknown, dynamic=true, seed=x`. */
export interface Preferences {
  /** A status that the operation declares. */
  readonly code?: number;
  /** Name of one of the response's examples. */
  readonly example?: string;
  /** Whether the answer is generated even where there are examples. */
  readonly dynamic?: boolean;
  /** Of what is generated. */
  readonly seed?: string;
}

/** Query parameters that say the same, for links and whoever cannot set headers. */
const PARAMETERS = ["code", "example", "dynamic", "seed"].map((name) => [`__${name}`, name] as const);

/**
 * Reads the `Prefer` header. Preferences that the mock does not know are somebody else's (RFC 7240, section 2).
 * @throws {HttpError} `invalid_parameter` where `code` or `dynamic` is none.
 */
export function readPreferences(header: string | readonly string[] | undefined): Preferences {
  if (header === undefined) return {};
  const given = parsePrefer(String(header));
  const [code, example, dynamic, seed] = PARAMETERS.map(([, name]) => given.get(name));
  if (code !== undefined && !/^\d{3}$/.test(code)) throw refuse("code", "a status of three digits", code);
  if (dynamic !== undefined && !/^(?:true|false)$/.test(dynamic))
    throw refuse("dynamic", "true or false", dynamic);
  return {
    ...(code !== undefined && { code: Number(code) }),
    ...(example !== undefined && { example }),
    ...(dynamic !== undefined && { dynamic: dynamic === "true" }),
    ...(seed !== undefined && { seed }),
  };
}

function refuse(name: string, wanted: string, found: string): HttpError {
  const message = `Prefer: ${name} must be ${wanted}, found ${JSON.stringify(found)}`;
  return HttpError.refusal("invalid_parameter", { message });
}

/** The first of each name counts, and parameters of a preference are not looked at (RFC 7240, section 2). */
function parsePrefer(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [preference] of header.matchAll(/(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g)) {
    const [, name = "", quoted, token = ""] =
      /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\[^])*)"|([^;]*?))\s*)?(?:;|$)/.exec(preference) ??
      [];
    const value = quoted === undefined ? token : quoted.replace(/\\([^])/g, "$1");
    if (name !== "" && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  return found;
}

/**
 * Takes the preferences out of a request's target, because the contract declares no such parameters:
 * `/pets?limit=2&__code=404` is `/pets?limit=2` with `code=404`.
 * @returns undefined where there are none. `prefer` is for the header, which wins as a whole where a request has one.
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
