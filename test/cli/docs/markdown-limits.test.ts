import { expect, test } from "@jest/globals";
import { renderMarkdown } from "../../../src/cli/docs/render/markdown.js";

/** Returns the text of an element that shows a text as it was written. */
function render(text: string): string | undefined {
  return renderMarkdown(text, { below: 1 })?.text;
}

const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i));

// Each took more than half a minute, or ended the command by a stack overflow or a lack of memory.
test.each<[about: string, text: string]>([
  ["quotes in each other", `${">".repeat(20_000)} x`],
  ["lists in each other", `${"- ".repeat(5_000)}x`],
  ["numbered lists in each other", `${"1. ".repeat(5_000)}x`],
  ["lists in each other, by lines", many(500, (index) => `${"  ".repeat(index)}- a`).join("\n")],
  ["elements in each other", "<div>".repeat(5_000)],
  ["emphasis without an end", "**a_".repeat(20_000)],
  ["links without an end", "[".repeat(30_000)],
  [
    "elements that each paragraph opens again",
    many(2_000, (index) => `<b class="x${index}">`).join("") + "<p>x</p>".repeat(2_000),
  ],
  [
    "a table whose short rows have many columns",
    `${"|a".repeat(3_000)}\n${"|-".repeat(3_000)}\n${"|\n".repeat(3_000)}`,
  ],
])("a text is shown as it was written: %s", (_, text) => {
  expect(render(text)).toMatch(/^<pre>[^<]*<\/pre> $/);
});

test("long texts are rendered", () => {
  const words = "*word* ".repeat(30);
  expect(render(many(200, () => `- ${words}`).join("\n"))?.split("<em>")).toHaveLength(6_001);
  expect(render(many(200, () => "A <b>bold</b> word.").join("\n\n"))?.split("<b>")).toHaveLength(201);
  expect(render(`| a |\n| - |\n${"| [2](#x) |\n".repeat(200)}`)?.split("<a")).toHaveLength(201);
  expect(
    render(`${"|a".repeat(20)}\n${"|-".repeat(20)}\n${`${"|[2](#x)".repeat(20)}\n`.repeat(50)}`)?.split("<a"),
  ).toHaveLength(1_001);
  expect(render(many(30, (index) => `${"  ".repeat(index)}- a`).join("\n"))?.split("<ul>")).toHaveLength(31);
});
