import { isNode, type Node, toArray, toText } from "tenon/core/legacy/document";
import { getByPointer, getOwn } from "tenon/core/document/pointer";
import { mapParagraphs, toCode, toGroupLink, toOperationLink } from "./markdown.js";

/** A lead-in in bold whose first word is "Decision": `**Decision of this service:** …` */
const LEAD_IN = /^\*\*Decision(?:| [^*]*|:)\*\*:?\s+(?=\S)/;

/** How decisions look, in both themes. */
export const DECISION_STYLES = `
.decision {
  margin: 0 0 1em;
  border-left: 3px solid #8a63d2;
  padding-left: 12px;
}

.decision:last-child,
.decision > p:last-child {
  margin-bottom: 0;
}
`;

/** Markdown in which each paragraph that is a decision is an element of its own, which the page marks. */
export function markDecisions(markdown: string): string {
  return mapParagraphs(markdown, (text) =>
    LEAD_IN.test(text) ? `<div class="decision">\n\n${text.trimEnd()}\n\n</div>\n` : text,
  );
}

interface Decision {
  /** Where it is: a link, or a name. */
  readonly place: string;
  /** Its first sentence, and what of the place it is about. */
  readonly text: string;
}

/** A contract whose description ends with a section of its decisions, each with a link to where it belongs. */
export function withDecisions<Contract extends object>(contract: Contract): Contract {
  const { info } = contract as Node;
  const decisions = listDecisions(contract as Node);
  if (!isNode(info) || decisions.length === 0) return contract;
  const description = getText(info, "description") ?? "";
  if (/^#{1,2} Decisions\s*$/m.test(description)) return contract;
  // Headings of the second level are entries of the menu where there are none of the first.
  const level = /^# /m.test(description) || !/^## /m.test(description) ? "#" : "##";
  const parts = [
    description.trimEnd(),
    `${level} Decisions`,
    "What this contract decides, and where.",
    ...toLists(decisions),
  ];
  return { ...contract, info: { ...info, description: parts.filter((part) => part !== "").join("\n\n") } };
}

function toLists(decisions: readonly Decision[]): readonly string[] {
  const places = [...new Set(decisions.map(({ place }) => place))];
  return places.map((place) => {
    const own = decisions.filter((decision) => decision.place === place);
    return [place, "", ...new Set(own.map(({ text }) => `- ${text}`))].join("\n");
  });
}

/** In the order of the page. What several operations share is told with the first. */
function listDecisions(contract: Node): readonly Decision[] {
  const { info, servers, tags, paths } = contract;
  const found: Decision[] = [...listOfDescription(isNode(info) ? (getText(info, "description") ?? "") : "")];
  const seen = new Set<object>();
  const visit = (value: unknown, place: string, about?: string): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (!isNode(value)) {
      for (const item of value as readonly unknown[]) visit(item, place, about);
      return;
    }
    const isParameter = toText(value["in"]) !== undefined;
    const own = (isParameter ? toText(value["name"]) : undefined) ?? about;
    for (const text of readDecisions(getText(value, "description") ?? ""))
      found.push({ place, text: own === undefined ? text : `${toCode(own)}: ${text}` });
    const reference = getText(value, "$ref");
    if (reference !== undefined) visit(getByPointer(contract, reference), place, own);
    for (const [key, member] of Object.entries(value)) {
      if (DATA.has(key)) continue;
      if (!NAMED.has(key) || !isNode(member)) visit(member, place, own);
      else for (const [name, one] of Object.entries(member)) visit(one, place, name);
    }
  };
  visit(servers, "Servers");
  for (const tag of toArray(tags).filter(isNode)) {
    const name = getText(tag, "name") ?? "";
    visit(tag, toGroupLink("tag", [name], getText(tag, "x-displayName")));
  }
  for (const [path, item] of Object.entries(isNode(paths) ? paths : {})) {
    for (const [method, operation] of Object.entries(isNode(item) ? item : {})) {
      if (!isNode(operation) || !isNode(operation["responses"])) continue;
      const id = getText(operation, "operationId");
      const title = getText(operation, "summary") ?? id ?? `${method.toUpperCase()} ${path}`;
      visit(operation, id === undefined ? toCode(title) : toOperationLink(id, title));
    }
  }
  return found;
}

/** Members whose own members are known to readers by their names. */
const NAMED = new Set(["headers", "properties", "responses", "variables"]);

/** Members that are data of the API. */
const DATA = new Set(["const", "default", "enum", "example", "examples", "value"]);

/** Those of the contract's own description are below its headings. */
function listOfDescription(markdown: string): readonly Decision[] {
  const found: Decision[] = [];
  let place = "Introduction";
  let top: string | undefined;
  mapParagraphs(markdown, (paragraph) => {
    for (const [, level = "", heading = ""] of paragraph.matchAll(/^(#{1,2}) +(.+)$/gm)) {
      if (level === "#") top = heading;
      const names = level === "#" || top === undefined ? [heading] : [top, heading];
      place = toGroupLink("section", names);
    }
    found.push(...readDecisions(paragraph).map((text) => ({ place, text })));
    return paragraph;
  });
  return found;
}

/** The first sentence of each. */
function readDecisions(markdown: string): readonly string[] {
  const found: string[] = [];
  mapParagraphs(markdown, (paragraph) => {
    const text = paragraph.replace(LEAD_IN, "").replaceAll(/\s+/g, " ").trim();
    if (LEAD_IN.test(paragraph)) found.push(/^.+?[.;](?= |$)/.exec(text)?.[0].replace(/;$/, ".") ?? text);
    return paragraph;
  });
  return found;
}

function getText(node: Node, key: string): string | undefined {
  return toText(getOwn(node, key));
}
