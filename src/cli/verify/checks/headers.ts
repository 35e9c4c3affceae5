import { findResponse, toMediaKind } from "tenon/core/http";
import type { ResponseHeader } from "tenon/core/model";
import { flatten, type SchemaView } from "../../values/index.js";
import { getHeader, readJson } from "../messages/index.js";
import type { Validator, Violation } from "../validator.js";
import type { Check, DeclarationCheck, Finding } from "./finding.js";

export const checkHeaders: DeclarationCheck = ({ testCase: { operation }, response }, { responses }) => {
  const { status } = response;
  const declared = findResponse(operation.responses, status)?.headers ?? [];
  return declared.flatMap((header): readonly Finding[] => {
    const { name, required } = header;
    const text = getHeader(response, name);
    const report = (message: string, detail: string): readonly Finding[] => [
      { check: "headers", message, detail: `${name} ${detail}`, place: String(status), shared: true },
    ];
    if (text === undefined)
      return required ? report(`Header ${name} of ${status} is missing`, "missing") : [];
    const violation = findInvalidText(text, header, responses);
    if (violation === undefined) return [];
    return report(`Header ${name} of ${status} is not valid: ${violation.message}`, violation.keyword);
  });
};

/** Finds the violation of the text of a header or parameter. */
export function findInvalidText(
  text: string,
  value: Pick<ResponseHeader, "schema" | "mediaType">,
  validator: Validator,
): Violation | undefined {
  const violations = listValues(text, value, validator).map((one) => validator.find(value.schema, one));
  return violations.includes(undefined) ? undefined : violations.at(-1);
}

/** Lists the values that a text may stand for: it is invalid only when all of them are. */
function listValues(
  text: string,
  { schema, mediaType }: Pick<ResponseHeader, "schema" | "mediaType">,
  view: SchemaView,
): readonly unknown[] {
  if (mediaType !== undefined) {
    const { value, problem } = readJson(text);
    return toMediaKind(mediaType) === "json" ? [problem === undefined ? value : text] : [];
  }
  const { type } = flatten(schema, view);
  const items = text.split(",").map((item) => item.trim());
  const isList = type === undefined || type.includes("array");
  return [
    text,
    ...toPlain(text),
    ...(isList ? [items, items.map((item) => toPlain(item)[0] ?? item)] : []),
    ...(type === undefined || type.includes("object") ? [toPairs(items)] : []),
  ];
}

function toPlain(text: string): readonly unknown[] {
  if (text === "true" || text === "false") return [text === "true"];
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? [Number(text)] : [];
}

function toPairs(items: readonly string[]): Readonly<Record<string, unknown>> {
  const exploded = items.every((item) => item.includes("="));
  const pairs = exploded
    ? items.map((item) => [item.slice(0, item.indexOf("=")), item.slice(item.indexOf("=") + 1)] as const)
    : items.flatMap((item, index) => (index % 2 === 0 ? [[item, items[index + 1] ?? ""] as const] : []));
  return Object.fromEntries(pairs.map(([name, value]) => [name, toPlain(value)[0] ?? value]));
}

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the successor's `Link` (RFC 5829). Where the contract has the date and
 * declares the header, the header has to be present; a header that is present has to have the contract's value.
 */
export const checkDeprecation: Check = ({ testCase: { operation }, response }, { basePath }) => {
  const { lifecycle } = operation;
  if (lifecycle?.deprecated !== true) return [];
  const { status } = response;
  const { since, sunset } = lifecycle;
  const declared = (findResponse(operation.responses, status)?.headers ?? []).map(({ name }) =>
    name.toLowerCase(),
  );
  const compare = (name: string, wanted: string, isRight: (text: string) => boolean): readonly Finding[] => {
    const text = getHeader(response, name);
    if (text === undefined ? !declared.includes(name.toLowerCase()) : isRight(text)) return [];
    const message = `${name} of ${status} is ${text === undefined ? "missing" : JSON.stringify(text)}; the contract says ${wanted}`;
    const detail = `${name} ${text === undefined ? "missing" : "other"}`;
    return [{ check: "deprecation", message, detail, shared: true }];
  };
  const findings: Finding[] = [];
  if (since !== undefined) {
    const wanted = `@${Math.floor(since / 1000)}`;
    findings.push(...compare("Deprecation", wanted, (text) => text === wanted));
  }
  if (sunset !== undefined) {
    const wanted = new Date(sunset).toUTCString();
    findings.push(...compare("Sunset", wanted, (text) => text === wanted));
  }
  const { path: successor, basePaths = [basePath] } = operation.successor ?? {};
  // A path with parameters is not an address.
  if (successor !== undefined && !successor.includes("{") && declared.includes("link")) {
    const wanted = `<…${successor}>; rel="successor-version"`;
    const path = `${basePaths[0]}${successor}`;
    findings.push(...compare("Link", wanted, (text) => linksTo(text, path)));
  }
  return findings;
};

/** Tests whether one of the links is the successor's. Its address may be absolute, or have another base. */
function linksTo(text: string, path: string): boolean {
  const last = path.slice(path.lastIndexOf("/"));
  return text
    .split(/,\s*(?=<)/)
    .some((link) => /rel="?[^"]*successor-version/.test(link) && link.split(">", 1)[0]?.includes(last));
}
