import type { CodeSample } from "../samples/samples.js";
import { MARK, toAddress, toSampleAddress } from "../samples/page-addresses.js";
import { highlight, renderCodeBlock } from "./highlight.js";
import { Html, html } from "./html.js";
import { renderTabs } from "./tabs.js";

const LANGUAGES = new Map([["shell", "bash"]]);

/** The address in a sample. */
const MARKED = /\u{E000}([\w.!~*()%-]*)\u{E000}/gu;

/**
 * Renders samples of code as tabs: the choice of a language holds for all operations. The page's script completes an address that
 * depends on the page's.
 * @param servers Addresses of the contract's servers.
 */
export function renderSamples(samples: readonly CodeSample[], servers: readonly string[]): Html | undefined {
  if (samples.length === 0) return undefined;
  const panels = samples.map(({ lang, label, source }) => {
    const [[, encoded = ""] = []] = source.matchAll(MARKED);
    const url = decode(encoded);
    const address = toSampleAddress(url, servers);
    const shown =
      toAddress(url) === address ? html`${address}` : html`<span data-address="${url}">${address}</span>`;
    const code = highlight(source.replaceAll(MARKED, MARK).trimEnd(), LANGUAGES.get(lang) ?? lang);
    const filled = new Html(code.text.replaceAll(MARK, () => shown.text));
    return { label, content: renderCodeBlock(filled) };
  });
  return renderTabs(panels, { name: "Language", group: "language" });
}

/** The author's own samples may have the marks, too. */
function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
