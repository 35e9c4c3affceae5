import type { TextNode } from "./list-texts.js";
import { mapParagraphs, toCode, toGroupLink } from "./markdown.js";

/** A lead-in in bold whose first word is "Decision": `**Decision of this service:** …` */
const LEAD_IN = /^\*\*Decision(?:| [^*]*|:)\*\*:?\s+(?=\S)/;

/** Markdown in which each paragraph that is a decision is an element of its own, which the page marks. */
export function markDecisions(markdown: string): string {
  return mapParagraphs(markdown, (text) =>
    LEAD_IN.test(text) ? `<div class="decision">\n\n${text.trimEnd()}\n\n</div>\n` : text,
  );
}

interface Decision {
  /** Markdown of the part of the page that has it: a link, or a name. */
  readonly section: string;
  /** Its first sentence, and the name of what it is about. */
  readonly text: string;
}

/**
 * The contract's description with a section of its decisions at the end, each below a link to the part of the page that has it.
 * @returns the description itself where there are no decisions, and where its author has such a section.
 */
export function listDecisions(description: string, texts: readonly TextNode[]): string {
  const decisions = [...listOfDescription(description), ...texts.flatMap(toDecisions)];
  if (decisions.length === 0 || /^#{1,2} Decisions\s*$/m.test(description)) return description;
  // Headings of the second level are entries of the menu where there are none of the first.
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

function toDecisions({ description = "", section, name }: TextNode): readonly Decision[] {
  if (section === undefined) return [];
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
  mapParagraphs(markdown, (paragraph) => {
    for (const [, level = "", heading = ""] of paragraph.matchAll(/^(#{1,2}) +(.+)$/gm)) {
      if (level === "#") top = heading;
      const names = level === "#" || top === undefined ? [heading] : [top, heading];
      section = toGroupLink("section", names);
    }
    found.push(...readDecisions(paragraph).map((text) => ({ section, text })));
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
