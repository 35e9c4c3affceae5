import { expect, test } from "@jest/globals";
import { renderMarkdown } from "../../../src/cli/docs/render/markdown.js";

// Texts of the first part are rendered without the parsers. Each of the others looks like one of them.
test.each<[text: string, want: string]>([
  [
    "A `b < c` and [d's e](https://a.example/f_g?h=1).",
    '<p>A <code>b &lt; c</code> and <a href="https://a.example/f_g?h=1">d\'s e</a>.</p>',
  ],
  [
    "`a` first,\nand a second line.\n\nA second paragraph",
    "<p><code>a</code> first,\nand a second line.</p>\n<p>A second paragraph</p>",
  ],
  ["`a``b`", "<p><code>a``b</code></p>"],
  ["`` a ` b ``", "<p><code>a ` b</code></p>"],
  ["` a `", "<p><code>a</code></p>"],
  ["`a`_b_ c", "<p><code>a</code><em>b</em> c</p>"],
  ["a _b_ `c`", "<p>a <em>b</em> <code>c</code></p>"],
  ["Title\n===", "<h3>Title</h3>"],
  ["a  \nb", "<p>a<br>\nb</p>"],
  ["1. a", "<ol>\n<li>a</li>\n</ol>"],
  ["a\n- b", "<p>a</p>\n<ul>\n<li>b</li>\n</ul>"],
  ["\ta", '<div class="code"><pre tabindex="0"><code>a</code></pre></div>'],
  ["www.a.example", '<p><a href="http://www.a.example">www.a.example</a></p>'],
  ["[a *b*](https://a.example)", '<p><a href="https://a.example">a <em>b</em></a></p>'],
])("Markdown: %j", (text, want) => {
  const html = renderMarkdown(text, { below: 2 })?.text.trim();
  expect(html).toBe(want);
});
