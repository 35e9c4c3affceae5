import { expect, test } from "@jest/globals";
import { toStyles } from "../../../src/tenon/client/styles.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";

test("a parameter that may be a string or an object is written as the runtime reads it", () => {
  const schema = { type: ["string", "object"] };
  const parameters = [
    { name: "either", in: "query", schema },
    { name: "plain", in: "query", schema: { type: "string" } },
    { name: "json", in: "query", content: { "application/json": { schema } } },
  ];
  const { operations } = buildContract({
    openapi: "3.1.0",
    info: { title: "Styles", version: "1.0.0" },
    paths: { "/a": { get: { parameters, responses: {} } } },
  });
  expect(operations.map(toStyles)).toMatchObject([
    {
      "query/either": { style: "jsonOrText" },
      "query/plain": { style: "form" },
      "query/json": { style: "json" },
    },
  ]);
});
