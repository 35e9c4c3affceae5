import { createRequire } from "node:module";
import { Html, html } from "./html.js";
import { splitJson } from "../texts/split-json.js";

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
}

// The types of the package add those of the DOM to the whole project, which differ from those of Node.js.
const require = createRequire(import.meta.url);
const hljs = require("highlight.js/lib/core") as Highlighter;

const LANGUAGES = ["bash", "go", "http", "javascript", "json", "python", "typescript", "xml", "yaml"];
for (const name of LANGUAGES) hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));

/** Longer code is not highlighted: most of its bytes would be markup. */
const MAX_CHARACTERS = 20_000;

/** Highlights code by classes: the pages' policy allows no styles within them. Code of an unknown language stays plain. */
export function highlight(code: string, language: string | undefined): Html {
  if (language === undefined || code.length > MAX_CHARACTERS) return html`${code}`;
  if (language === "json") return highlightJson(code);
  if (hljs.getLanguage(language) === undefined) return html`${code}`;
  return new Html(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}

/** Most code of a site is JSON. This takes a tenth of the time. */
function highlightJson(code: string): Html {
  const tokens = splitJson(code);
  return html`${tokens.map(({ text, kind }) => (kind === undefined ? text : html`<span class="hljs-${kind}">${text}</span>`))}`;
}

/** Renders a block of code, which the script gives a button that copies it. */
export function renderCode(code: string, language: string | undefined): Html {
  return renderCodeBlock(highlight(code, language));
}

export function renderCodeBlock(code: Html): Html {
  return html`<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>\n`;
}
