import { getByPointer, getOwn, isData, isNamed, toText } from "tenon/core/document";
import type { Contract, Operation } from "tenon/core/model";
import { toCode, toGroupLink, toOperationLink } from "./markdown.js";

/** A description of the contract that a page shows. */
export interface SectionText {
  readonly description: string;
  /** Markdown of the part of the page that shows it first: a link, or a name. */
  readonly section: string;
  /** Name of its parameter, property, response, header or variable. */
  readonly name?: string | undefined;
}

/** Keywords whose members' names are shown. */
const SHOWN = new Set(["properties", "responses", "headers", "variables"]);

/** Lists the descriptions of a contract, each once, in the order of the page. A shared one belongs to the first operation. */
export function listTexts({ registry: { document }, tags, operations }: Contract): readonly SectionText[] {
  const at = (pointer: string): unknown => getByPointer(document, pointer);
  const texts: SectionText[] = [];
  const seen = new Set<unknown>();
  const starts = [
    { value: getOwn(document, "servers"), section: "Servers" },
    ...tags.map(({ pointer, name, displayName }) => ({
      value: at(pointer),
      section: toGroupLink("tag", [name], displayName),
    })),
    ...operations.flatMap((operation) =>
      // Parameters may be those of the path item.
      [operation, ...operation.parameters].map(({ pointer }) => ({
        value: at(pointer),
        section: toSection(operation),
      })),
    ),
  ];
  // A stack, because a chain of references may be longer than the call stack.
  const waiting: { value: unknown; section: string; name?: string | undefined }[] = starts.reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, section } = next;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const name = "in" in value ? toText(getOwn(value, "name")) : next.name;
    const description = getOwn(value, "description");
    if (typeof description === "string") texts.push({ description, section, name });
    const inner = Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
      if (isData(key, member) || key.startsWith("x-")) return [];
      if (key === "$ref") return [{ value: at(String(member)), section, name }];
      if (!isNamed(key, member) && key !== "variables") return [{ value: member, section, name }];
      const toName = (label: string) => (SHOWN.has(key) ? label : name);
      return Object.entries(member ?? {}).map(([label, one]: [string, unknown]) => ({
        value: one,
        section,
        name: toName(label),
      }));
    });
    waiting.push(...inner.reverse());
  }
  return texts;
}

function toSection({ id, hasId, summary, method, path }: Operation): string {
  return hasId ? toOperationLink(id, summary ?? id) : toCode(summary ?? `${method.toUpperCase()} ${path}`);
}
