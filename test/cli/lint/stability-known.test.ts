import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const DOCUMENT = `openapi: 3.1.0
paths:
  /pets:
    get:
      x-stability-level: LEVEL
      parameters:
        - { name: limit, in: query, x-stability-level: LEVEL, schema: { type: integer } }
      responses:
        "200":
          headers:
            X-Total: { x-stability-level: LEVEL, schema: { type: integer } }
          content:
            application/json:
              schema: { properties: { name: { x-stability-level: LEVEL } } }
`;
const lint = (level: string) =>
  problemsOf(DOCUMENT.replaceAll("LEVEL", level), { rule: "tenon/stability-known" });

test.each(["draft", "alpha", "experimental", "beta", "stable"])(
  "stability-known: %s is a level",
  async (level) => {
    expect(await lint(level)).toEqual([]);
  },
);

test.each([
  ["expermental", '"expermental"'],
  ["Beta", '"Beta"'],
  ["1", "1"],
])("stability-known: %s is none, wherever it stands", async (level, found) => {
  const message = `warn Expected \`x-stability-level\` to be one of draft, alpha, experimental, beta, stable; found ${found}.`;
  expect(await lint(level)).toEqual(["5:26", "7:56", "11:43", "14:66"].map((place) => `${place} ${message}`));
});
