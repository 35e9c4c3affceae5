import type { SectionText } from "./list-texts.js";
import { listParagraphs, toCode, toGroupLink } from "./markdown.js";

/** A lead-in in bold whose first word is "Decision": `**Decision of this service:** …` */
const LEAD_IN = /^\*\*Decision(?:| [^*]*|:)\*\*:?\s+(?=\S)/;

interface Decision {
  /** Markdown of its part of the page: a link, or a name. */
  readonly section: string;
  /** Its first sentence, after the name of its parameter, property or response. */
  readonly text: string;
}

/**
 * Adds a section of its decisions to the contract's description, each below a link to its part of the page.
 * @returns the description itself without decisions, and when its author has written such a section.
 */
export function listDecisions(description: string, texts: readonly SectionText[]): string {
  const decisions = [...listOfDescription(description), ...texts.flatMap(toDecisions)];
  if (decisions.length === 0 || /^#{1,2} Decisions\s*$/m.test(description)) return description;
  // Headings of the second level are entries of the menu unless there are headings of the first.
  const level = /^# /m.test(description) || !/^## /m.test(description) ? "#" : "##";
  return [
    description.trimEnd(),
    `${level} Decisions`,
    "What this contract decides, and where.",
    ...toLists(decisions),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function toDecisions({ description, section, name }: SectionText): readonly Decision[] {
  const start = name === undefined ? "" : `${toCode(name)}: `;
  return readDecisions(description).map((text) => ({ section, text: start + text }));
}

function toLists(decisions: readonly Decision[]): readonly string[] {
  const sections = [...new Set(decisions.map(({ section }) => section))];
  return sections.map((section) => {
    const own = decisions.filter((decision) => decision.section === section);
    return [section, "", ...new Set(own.map(({ text }) => `- ${text}`))].join("\n");
  });
}

/** Lists the decisions of the contract's own description, which are below its headings. */
function listOfDescription(markdown: string): readonly Decision[] {
  const found: Decision[] = [];
  let section = "Introduction";
  let top: string | undefined;
  for (const paragraph of listParagraphs(markdown)) {
    for (const [, level = "", heading = ""] of paragraph.matchAll(/^(#{1,2}) +(.+)$/gm)) {
      if (level === "#") top = heading;
      const names = level === "#" || top === undefined ? [heading] : [top, heading];
      section = toGroupLink("section", names);
    }
    found.push(...readDecisions(paragraph).map((text) => ({ section, text })));
  }
  return found;
}

/** Reads the first sentence of each decision. */
function readDecisions(markdown: string): readonly string[] {
  return listParagraphs(markdown).flatMap((paragraph) => {
    if (!LEAD_IN.test(paragraph)) return [];
    const text = paragraph.replace(LEAD_IN, "").replaceAll(/\s+/g, " ").trim();
    return [/^.+?[.;](?= |$)/.exec(text)?.[0].replace(/;$/, ".") ?? text];
  });
}
