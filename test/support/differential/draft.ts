import type { Document, Parameter, Requirement } from "./contract.js";
import type { TestRequest } from "./request.js";

/** The only credential that both servers accept; what they read it from is the scheme's. */
export const KEY = "the-key";

/** A request while it can still be changed; its texts are escaped. */
export interface Draft {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, text: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Texts that stand for numbers. */
  readonly numbers: readonly string[];
}

/** Parameter name, under its place, to its value; those that are not sent are absent. */
export type Chosen = Readonly<Record<string, unknown>>;

/** Its place and name, which only one parameter of an operation has. */
export function keyOf(parameter: Parameter): string {
  return `${parameter.in} ${parameter.name}`;
}

/** What a draft is made for. */
interface Place {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

/** Writes chosen values as the text of a request. */
export function toDraft({ method, path: template, parameters }: Place, chosen: Chosen, body?: string): Draft {
  let path = template;
  const query: (readonly [string, string])[] = [];
  const headers: Record<string, string> = {};
  const cookies: Record<string, string> = {};
  const numbers: string[] = [];
  for (const parameter of parameters) {
    const { name, schema: { type, items } = {} } = parameter;
    const value = chosen[keyOf(parameter)];
    // No style writes an empty array; it is not sent.
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const texts = (Array.isArray(value) ? value : [value]).map(toText);
    const escaped = texts.map(encodeURIComponent);
    // An empty segment would be another path, and a header may hold neither controls nor space at its ends.
    if (parameter.in === "path") path = path.replace(`{${name}}`, () => escaped.join(",") || "x");
    else if (parameter.in === "header") headers[name] = texts.join(",").replace(/[^!-~]+/g, "_");
    else if (parameter.in === "cookie") cookies[name] = escaped.join(",");
    else if (parameter.explode === false) query.push([name, escaped.join(",")]);
    else query.push(...escaped.map((text) => [name, text] as const));
    if ([type, items?.type].flat().some((one) => one === "integer" || one === "number"))
      numbers.push(...texts);
  }
  if (body !== undefined) headers["content-type"] = "application/json";
  return { method, path, query, headers, cookies, body, numbers };
}

const toText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** With a key for each scheme of a requirement, where that scheme has it. */
export function withCredentials(
  draft: Draft,
  document: Document,
  requirement: Requirement,
  key: string,
): Draft {
  const { securitySchemes: schemes = {} } = document.components ?? {};
  let { query, headers, cookies } = draft;
  for (const id of Object.keys(requirement)) {
    const { in: place, name = "" } = schemes[id] ?? {};
    if (place === "query") query = [...query, [name, key]];
    else if (place === "cookie") cookies = { ...cookies, [name]: key };
    else if (place === "header") headers = { ...headers, [name]: key };
    else headers = { ...headers, Authorization: `Bearer ${key}` };
  }
  return { ...draft, query, headers, cookies };
}

export function withMethod(method: string) {
  return (draft: Draft): Draft => ({ ...draft, method });
}

export function withoutBody(draft: Draft): Draft {
  const headers = Object.entries(draft.headers).filter(([name]) => name !== "content-type");
  return { ...draft, headers: Object.fromEntries(headers), body: undefined };
}

interface Labels {
  readonly contract: string;
  readonly operationId: string;
  readonly wrong: string;
  readonly needsBody: boolean;
  readonly basePath: string;
}

/** Below the base path, with everything in its place. */
export function toRequest(draft: Draft, { basePath, ...labels }: Labels): TestRequest {
  const { method, path, query, cookies, body, numbers } = draft;
  const pairs = query.map(([name, text]) => `${encodeURIComponent(name)}=${text}`);
  const jar = Object.entries(cookies).map(([name, text]) => `${name}=${text}`);
  return {
    ...labels,
    method: method.toUpperCase(),
    target: `${basePath}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`,
    headers: { ...draft.headers, ...(jar.length > 0 && { Cookie: jar.join("; ") }) },
    body,
    numbers,
  };
}
