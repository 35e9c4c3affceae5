import { createRequire } from "node:module";
import { Html, html } from "./html.js";
import { MARK, toAddress, toSampleAddress } from "../samples/page-addresses.js";
import type { CodeSample } from "../samples/samples.js";
import { fromFragment } from "./ids.js";
import { createRecent } from "./recent.js";
import { splitJson } from "../texts/split-json.js";
import { renderTabs } from "./tabs.js";

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  registerAliases(names: readonly string[], language: { readonly languageName: string }): void;
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
// `sh`, `js` and the like are known.
hljs.registerAliases(["shell", "console", "curl"], { languageName: "bash" });

/** Longer code is not highlighted: most of its bytes would be markup. */
const MAX_CHARACTERS = 50_000;

/** Highlights code by classes: the pages' policy allows no styles within them. Code of an unknown language stays plain. */
function highlight(code: string, language: string | undefined): Html {
  if (language === undefined || code.length > MAX_CHARACTERS) return html`${code}`;
  if (language === "json") return highlightJson(code);
  if (hljs.getLanguage(language) === undefined) return html`${code}`;
  return recent(
    `${language} ${code}`,
    () => new Html(hljs.highlight(code, { language, ignoreIllegals: true }).value),
  );
}

const recent = createRecent<Html>();

/** Most code of a site is JSON. This takes a tenth of the time. */
function highlightJson(code: string): Html {
  const tokens = splitJson(code).map(({ text, kind }) => {
    const { text: escaped } = html`${text}`;
    return kind === undefined ? escaped : `<span class="hljs-${kind}">${escaped}</span>`;
  });
  return new Html(tokens.join(""));
}

/** Renders a block of code, which the script gives a button that copies it. */
export function renderCode(code: string, language: string | undefined): Html {
  return renderCodeBlock(highlight(code, language));
}

export function renderCodeBlock(code: Html): Html {
  return html`<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>\n`;
}

/** The address in a sample. */
const MARKED = /\u{E000}([\w.!~*()%-]*)\u{E000}/gu;

/** Returns the source of a sample where the address of the page is unknown. */
export function toPlainSource({ source }: CodeSample, servers: readonly string[]): string {
  return source
    .replaceAll(MARKED, (_, encoded: string) => toSampleAddress(fromFragment(encoded), servers))
    .trimEnd();
}

/**
 * Renders samples of code as tabs: the choice of a language holds for all operations. The page's script completes an address that
 * depends on the page's.
 * @param servers Addresses of the contract's servers.
 */
export function renderSamples(samples: readonly CodeSample[], servers: readonly string[]): Html | undefined {
  if (samples.length === 0) return undefined;
  const panels = samples.map(({ lang, label, source }) => {
    const [[, encoded = ""] = []] = source.matchAll(MARKED);
    const url = fromFragment(encoded);
    const address = toSampleAddress(url, servers);
    const shown =
      toAddress(url) === address ? html`${address}` : html`<span data-address="${url}">${address}</span>`;
    const code = highlight(source.replaceAll(MARKED, MARK).trimEnd(), lang);
    const filled = new Html(code.text.replaceAll(MARK, () => shown.text));
    return { label, content: renderCodeBlock(filled) };
  });
  return renderTabs(panels, { name: "Language", group: "language" });
}
