import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/path-parameter-matchable";

const document = (template: string) => `openapi: 3.1.0
paths:
  "${template}":
    get: {}
`;

test.each(["/pets", "/pets/{petId}:archive", "/{a}.{ext}", "/{a}/{b}", "/pets/{petId"])(
  "path-parameter-matchable: %s passes",
  async (template) => {
    expect(await problemsOf(document(template), { rule })).toEqual([]);
  },
);

test.each([
  { template: "/{a}/{a}", problem: "Expected every parameter name once; found `{a}` twice" },
  { template: "/{a}{b}", problem: "Expected a literal before `{b}`; found another parameter" },
  { template: "/pets?status={status}", problem: "Expected a path without `?` and `#`" },
])("path-parameter-matchable: $template is refused", async ({ template, problem }) => {
  expect(await problemsOf(document(template), { rule })).toEqual([`3:3 warn ${problem} in \`${template}\`.`]);
});
