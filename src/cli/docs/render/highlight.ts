import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import go from "highlight.js/lib/languages/go";
import http from "highlight.js/lib/languages/http";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { Html, html } from "./html.js";

const LANGUAGES = { bash, go, http, javascript, json, python, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Longer code is not highlighted: most of its bytes would be markup. */
const MAX_CHARACTERS = 20_000;

/** Highlights code by classes: the pages' policy allows no styles within them. Code of an unknown language stays plain. */
export function highlight(code: string, language: string | undefined): Html {
  if (language === undefined || code.length > MAX_CHARACTERS) return html`${code}`;
  if (language === "json") return highlightJson(code);
  if (hljs.getLanguage(language) === undefined) return html`${code}`;
  return new Html(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}

const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Most code of a site is JSON. This takes a tenth of the time. */
function highlightJson(code: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: token, 1: text, 2: colon, 3: word, index } of code.matchAll(JSON_TOKEN)) {
    const kind = colon !== undefined ? "attr" : text !== undefined ? "string" : word ? "literal" : "number";
    parts.push(html`${code.slice(end, index)}<span class="hljs-${kind}">${text ?? token}</span>${colon}`);
    end = index + token.length;
  }
  return html`${parts}${code.slice(end)}`;
}

/** Writes a block of code with a button that copies it. */
export function renderCode(code: string, language: string | undefined): Html {
  return html`<div class="code">
    <pre tabindex="0"><code>${highlight(code, language)}</code></pre>
  </div> `;
}
