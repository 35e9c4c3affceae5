import type { CodeSample } from "../samples/samples.js";
import { highlight } from "./highlight.js";
import { Html, html } from "./html.js";
import { renderTabs } from "./tabs.js";

const LANGUAGES: Readonly<Record<string, string>> = { shell: "bash" };

/** An address in a sample, which depends on the page's: the script completes it. */
const ADDRESS = /\u{E000}([^\u{E000}]*)\u{E000}/gu;

/** Renders samples of code as tabs: the choice of a language holds for all operations. */
export function renderHighlighted(samples: readonly CodeSample[]): Html | undefined {
  if (samples.length === 0) return undefined;
  const panels = samples.map(({ lang, label, source }) => {
    const code = highlight(source.trimEnd(), LANGUAGES[lang] ?? lang);
    const marked = code.text.replaceAll(
      ADDRESS,
      (_, url: string) => `<span data-address="${url}">${url}</span>`,
    );
    return {
      label,
      content: html`<div class="code">
        <pre tabindex="0"><code>${new Html(marked)}</code></pre>
      </div> `,
    };
  });
  return html`<div class="request">
    <p class="heading">Request</p>
    ${renderTabs(panels, { name: "Language", group: "language" })}
  </div> `;
}
