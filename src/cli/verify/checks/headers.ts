import { findResponse, toMediaKind } from "tenon/core/http";
import type { ResponseHeader } from "tenon/core/model";
import { flatten, type SchemaView } from "../../values/index.js";
import { getHeader } from "../messages/index.js";
import type { Check, Finding } from "./finding.js";

export const checkHeaders: Check = ({ testCase: { operation }, response }, { responses }) => {
  const { status } = response;
  const declared = findResponse(operation.responses, status)?.headers ?? [];
  return declared.flatMap((header): readonly Finding[] => {
    const { name, required, schema } = header;
    const text = getHeader(response, name);
    const report = (message: string, detail: string): readonly Finding[] => [
      { check: "headers", message, detail: `${status} ${name} ${detail}` },
    ];
    if (text === undefined)
      return required ? report(`Header ${name} of ${status} is missing`, "missing") : [];
    const violations = listValues(text, header, responses).map((value) => responses.find(schema, value));
    const violation = violations.at(-1);
    if (violation === undefined || violations.includes(undefined)) return [];
    return report(`Header ${name} of ${status} is not valid: ${violation.message}`, violation.keyword);
  });
};

/** Lists the values that a text may stand for: it is invalid only when all of them are. */
function listValues(
  text: string,
  { schema, mediaType }: ResponseHeader,
  view: SchemaView,
): readonly unknown[] {
  if (mediaType !== undefined) return toMediaKind(mediaType) === "json" ? [parse(text)] : [];
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
