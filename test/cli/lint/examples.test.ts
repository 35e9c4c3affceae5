import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

/** A document that has one example, right or wrong, at every place that can hold one. */
function document(place: string, value: string): string {
  const at = (name: string, text: string) => (place === name ? text.replace("VALUE", value) : "");
  return `openapi: 3.1.0
paths:
  /pets:
    post:
      parameters:
        - name: limit
          in: query
          schema: { type: integer, maximum: 100 }
          ${at("parameter example", "example: VALUE")}
          ${at("parameter examples", "examples: { one: { value: VALUE } }")}
          ${at("parameter examples by reference", "examples: { one: { $ref: '#/components/examples/One' } }")}
      requestBody:
        content:
          application/json:
            schema: { $ref: "#/components/schemas/Limit" }
            ${at("request example", "example: VALUE")}
            ${at("request examples", "examples: { one: { value: VALUE } }")}
      responses:
        "200":
          headers:
            Limit:
              schema: { $ref: "#/components/schemas/Limit" }
              ${at("header example", "example: VALUE")}
              ${at("header examples", "examples: { one: { value: VALUE } }")}
              ${at("header examples by reference", "examples: { one: { $ref: '#/components/examples/One' } }")}
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Limit" }
              ${at("response example", "example: VALUE")}
              ${at("response examples", "examples: { one: { value: VALUE } }")}
              ${at("response examples by reference", "examples: { one: { $ref: '#/components/examples/One' } }")}
components:
  examples:
    One: { value: ${place.endsWith("by reference") ? value : "1"} }
  schemas:
    Limit:
      type: integer
      maximum: 100
      ${at("schema example", "example: VALUE")}
      ${at("schema examples", "examples: [VALUE]")}
`;
}

const mediaType = "no-invalid-media-type-examples";
const parameter = "no-invalid-parameter-examples";
const schema = "no-invalid-schema-examples";
const own = "tenon/examples-conform";

const places = [
  { place: "schema example", rule: schema },
  { place: "schema examples", rule: schema },
  { place: "parameter example", rule: parameter },
  { place: "parameter examples", rule: parameter },
  { place: "request example", rule: mediaType },
  { place: "request examples", rule: mediaType },
  { place: "response example", rule: mediaType },
  { place: "response examples", rule: mediaType },
  { place: "response examples by reference", rule: mediaType },
  { place: "parameter examples by reference", rule: own },
  { place: "header example", rule: own },
  { place: "header examples", rule: own },
  { place: "header examples by reference", rule: own },
];

test.each(places)("examples: a wrong $place fails $rule, where it is written", async ({ place, rule }) => {
  const source = document(place, "many");
  const before = source.slice(0, source.indexOf("many")).split("\n");
  const position = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  expect(await problemsOf(source, { rule })).toEqual([
    `${position} warn Example value must conform to the schema: type must be integer.`,
  ]);
});

test.each(places)("examples: a $place beyond the maximum fails $rule", async ({ place, rule }) => {
  expect(await problemsOf(document(place, "101"), { rule })).toHaveLength(1);
});

test.each(places)("examples: a right $place passes", async ({ place }) => {
  for (const rule of [schema, parameter, mediaType, own]) {
    expect(await problemsOf(document(place, "100"), { rule })).toEqual([]);
  }
});

test.each(places.filter(({ rule }) => rule === own))(
  "examples: examples-conform is needed, because no built-in rule sees a wrong $place",
  async ({ place }) => {
    for (const rule of [schema, parameter, mediaType]) {
      expect(await problemsOf(document(place, "many"), { rule })).toEqual([]);
    }
  },
);
