import { readdirSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { createTools, type Tool } from "../../../src/tenon/mcp/tools.js";
import { loadDocument, toRouted } from "../../cli/mock/serve.js";

// The rules of vendors for tools that models call, as far as a contract can keep them. Those that it cannot keep are in the guide.

const FIXTURES = readdirSync(new URL("../../fixtures", import.meta.url)).map(
  (name) => `test/fixtures/${name}/openapi.yaml`,
);

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
}

/** A schema within the arguments of a tool, and how many objects and lists it is in. */
interface Place {
  readonly schema: Schema;
  readonly depth: number;
}

function* walk(schema: Schema | boolean | undefined, depth = 0): Iterable<Place> {
  if (typeof schema !== "object") return;
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  yield { schema, depth };
  for (const child of [...Object.values(properties), items, additionalProperties])
    yield* walk(child, depth + 1);
  for (const child of anyOf) yield* walk(child, depth);
}

const namesOf = ({ schema: { properties = {} } }: Place) => Object.keys(properties);
const count = (places: readonly Place[], of: (place: Place) => number) =>
  places.reduce((sum, place) => sum + of(place), 0);

/** What is wrong with a tool by each rule; undefined if nothing is. */
const RULES: Readonly<Record<string, (tool: Tool, places: readonly Place[]) => unknown>> = {
  // https://platform.openai.com/docs/api-reference/chat/create (tools.function.name),
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use (name)
  "OpenAI, Anthropic: names": ({ name }) => (/^[a-zA-Z0-9_-]{1,64}$/.test(name) ? undefined : name),
  // https://cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/FunctionDeclaration (name)
  "Gemini: names start with a letter or an underscore": ({ name }) =>
    /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(name) ? undefined : name,
  // https://github.com/anthropics/claude-code/issues/40075, https://platform.openai.com/docs/guides/structured-outputs
  "Anthropic, OpenAI: the root is an object without alternatives": ({ inputSchema }) =>
    "anyOf" in inputSchema ? inputSchema : undefined,
  // https://platform.openai.com/docs/guides/structured-outputs (supported schemas), https://github.com/zed-industries/zed/issues/44875
  "OpenAI, Gemini: no keywords of composition, conditions and references": (_, places) =>
    places.find(({ schema }) =>
      Object.keys(schema).some((key) =>
        /^(?:allOf|oneOf|const|not|if|then|else|\$.*|dependent.*|patternProperties|prefixItems|unevaluated.*)$/.test(
          key,
        ),
      ),
    ),
  // https://github.com/ruvnet/ruflo/issues/1294, https://github.com/ogx-ai/ogx/pull/3602 ("array schema missing items")
  "OpenAI: lists have items": (_, places) =>
    places.find(({ schema }) => [schema.type].flat().includes("array") && schema.items === undefined),
  // https://github.com/google-gemini/gemini-cli/issues/1494 ("property is not defined")
  "Gemini: required properties are properties": (_, places) =>
    places.find((place) => (place.schema.required ?? []).some((name) => !namesOf(place).includes(name))),
  // https://platform.openai.com/docs/guides/structured-outputs (limits on nesting and size)
  "OpenAI: at most 10 levels": (_, places) => places.find(({ depth }) => depth > 10),
  "OpenAI: at most 5,000 properties": (_, places) =>
    count(places, (place) => namesOf(place).length) <= 5_000 ? undefined : "too many",
  "OpenAI: at most 120,000 characters of names and values": (_, places) => {
    const length = count(
      places,
      (place) => `${namesOf(place).join("")}${JSON.stringify(place.schema.enum ?? "")}`.length,
    );
    return length <= 120_000 ? undefined : length;
  },
  "OpenAI: at most 1,000 values of enums": (_, places) =>
    count(places, ({ schema }) => schema.enum?.length ?? 0) <= 1_000 ? undefined : "too many",
};

describe.each([...FIXTURES, "openapi/v1.yaml"])("%s", (file) => {
  test("its tools keep the rules of vendors", async () => {
    const contract = toRouted(await loadDocument(file));
    const wrong = createTools(contract, contract.operations).flatMap((tool) => {
      const places = [...walk(tool.inputSchema)];
      return Object.entries(RULES).flatMap(([rule, find]) => {
        const found = find(tool, places);
        return found === undefined ? [] : [{ tool: tool.name, rule, found }];
      });
    });
    expect(wrong).toEqual([]);
  });
});
