import { describe, expect, test } from "@jest/globals";
import { renderMarkdown } from "../../../src/cli/docs/render/markdown.js";
import { listDecisions } from "../../../src/cli/docs/texts/decisions.js";
import { listTexts } from "../../../src/cli/docs/texts/list-texts.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";

describe("decisions", () => {
  test.each([
    ["**Decision of this service:** x", 1],
    ["**Decision**: x", 1],
    ["**Decision:** x\nand on", 1],
    ["Before.\n\n**Decision:** x\n\nAfter.\n\n**Decision:** y", 2],
    ...[
      "**Decisions** x",
      "Text **Decision:** x",
      "**Other:** Decision",
      "```\n\n**Decision:** x\n\n```",
    ].map((text) => [text, 0] as const),
  ])("%j has %i marked", (given, count) => {
    const { text = "" } = renderMarkdown(given, { below: 1 }) ?? {};
    expect(text.match(/<p class="decision"><strong>Decision/g) ?? []).toHaveLength(count);
  });

  test("are listed once each, in the order of the page, with links to where they are", () => {
    const decide = (text: string) => ({ description: `First.\n\n**Decision:** ${text}` });
    const shared = decide("shared. More of it.");
    const contract = {
      info: {
        description:
          "Text.\n\n## Limits\n\n**Decision:** limits; the rest.\n\n## What & why\n\n**Decision:** why",
      },
      servers: [{ url: "/", variables: { base: decide("server") } }],
      tags: [{ name: "pets", "x-displayName": "Pets", ...decide("tag") }],
      paths: {
        "/a": {
          get: {
            operationId: "getA",
            summary: "Get [a]",
            ...decide("operation. e.g. this"),
            parameters: [
              { name: "q", in: "query", ...decide("parameter") },
              { $ref: "#/components/parameters/P" },
            ],
            responses: { "404": { $ref: "#/components/responses/R" } },
            "x-other": { example: decide("data") },
          },
          put: { operationId: "putA", responses: { "404": { $ref: "#/components/responses/R" } } },
          post: { ...decide("nameless"), responses: {} },
        },
      },
      components: {
        parameters: { P: { name: "p", in: "query", ...decide("referred to") } },
        responses: { R: { ...shared, content: { j: { schema: { $ref: "#/components/schemas/S" } } } } },
        schemas: { S: { properties: { next: { $ref: "#/components/schemas/S" }, n: decide("property") } } },
      },
    };
    const { description } = contract.info;
    const listed = listDecisions(description, listTexts(buildContract(contract)));
    expect(listed).toBe(`${description}

## Decisions

What this contract decides, and where.

[Limits](#section/Limits)

- limits.

What \\& why

- why

Servers

- \`base\`: server

[Pets](#tag/pets)

- tag

[Get \\[a\\]](#operation/getA)

- operation.
- \`q\`: parameter
- \`p\`: referred to
- \`404\`: shared.
- \`n\`: property

POST /a

- nameless`);
  });

  test("have no section where there are none, and where the author has one", () => {
    expect(listDecisions("Text.", [])).toBe("Text.");
    const own = "# Decisions\n\n**Decision:** x";
    expect(listDecisions(own, [])).toBe(own);
    expect(listDecisions("**Decision:** x", [])).toContain("\n\n# Decisions\n");
  });
});
