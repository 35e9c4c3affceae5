import { flatten } from "../../values/flatten.js";
import { findResponse, type TargetHeader } from "../target.js";
import type { SchemaBook } from "../../values/book.js";
import type { Check, Finding } from "./check.js";

export const checkHeaders: Check = ({ draft, answer }, { target, responses }) => {
  const declared = findResponse(draft.operation, answer.status)?.headers ?? [];
  return declared.flatMap((header): readonly Finding[] => {
    const given = answer.headers[header.name.toLowerCase()];
    const finding = (message: string, detail: string): readonly Finding[] => [
      { check: "headers", message, detail: `${answer.status} ${header.name} ${detail}` },
    ];
    if (given === undefined) {
      return header.required
        ? finding(`Header ${header.name} of ${answer.status} is missing`, "missing")
        : [];
    }
    const text = Array.isArray(given) ? given.join(", ") : given;
    const faults = toCandidates(text, header, target.responses).map((value) =>
      responses.find(header.schema, value),
    );
    const fault = faults.at(-1);
    if (fault === undefined || faults.includes(undefined)) return [];
    return finding(`Header ${header.name} of ${answer.status} is not valid: ${fault.message}`, fault.keyword);
  });
};

/** What a text may stand for: it is wrong only when no reading of it is right. */
function toCandidates(text: string, { schema, json }: TargetHeader, book: SchemaBook): readonly unknown[] {
  if (json) return [parse(text)];
  const { type } = flatten(book.get(schema), book);
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
