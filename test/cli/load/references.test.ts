import { describe, expect, test } from "@jest/globals";
import { createConfig } from "@redocly/openapi-core";
import { join } from "node:path";
import { loadModel } from "../../../src/cli/project/index.js";
import { createProject, toContract } from "./project.js";

async function load(files: Readonly<Record<string, string>>) {
  const folder = createProject(files);
  const { contract, problems } = await loadModel({
    root: join(folder, "openapi.yaml"),
    config: await createConfig({}),
  });
  return { contract, errors: problems.filter(({ severity }) => severity === "error") };
}

describe("a schema may be a boolean everywhere in OpenAPI 3.1", () => {
  const body = (schema: string) =>
    toContract(`paths:
  /a:
    post:
      parameters: [{ name: q, in: query, schema: true }]
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { "204": { description: Done. } }
components:
  schemas:
    Any: true
    None: false
`);

  test.each([
    ["of a body", "true"],
    ["that is a component", '{ $ref: "#/components/schemas/Any" }'],
    ["of a property that is a component", '{ properties: { a: { $ref: "#/components/schemas/None" } } }'],
    ["of an alternative", "{ oneOf: [true, false] }"],
    ["of a condition", "{ if: true, then: false }"],
    ["of a defined name", "{ $defs: { a: true }, not: false }"],
    ["in another file", '{ $ref: "./any.yaml#/Any" }'],
  ])("%s", async (_, schema) => {
    const { contract } = await load({ "openapi.yaml": body(schema), "any.yaml": "Any: true\n" });
    expect(contract.operations.map(({ id }) => id)).toEqual(["postA"]);
    const { registry } = contract;
    expect(registry.component("None").never).toBe(true);
    expect(registry.component("Any").never).toBeUndefined();
  });

  test("but not in 3.0", async () => {
    await expect(load({ "openapi.yaml": body("{}").replace("3.1.0", "3.0.3") })).rejects.toThrow(
      "Expected type `Schema` (object) but got `boolean`",
    );
  });
});

describe("an operation may be behind a reference", () => {
  const operation = `parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
responses: { "204": { description: Done. } }
`;

  test.each([
    ["in another file", toContract('paths: { "/a/{id}": { get: { $ref: "./operation.yaml" } } }\n')],
    [
      "in the same file",
      toContract(`paths: { "/a/{id}": { get: { $ref: "#/x-operations/a" } } }
components: {}
x-operations:
  a:
    ${operation.replace("\n", "\n    ")}`),
    ],
  ])("%s", async (_, contract) => {
    const files = { "openapi.yaml": contract, "operation.yaml": operation };
    const [found] = (await load(files)).contract.operations;
    expect(found?.parameters.map(({ name }) => name)).toEqual(["id"]);
    expect(found?.responses.map(({ status }) => status)).toEqual(["204"]);
  });

  test("and has its own problems, where they are", async () => {
    const files = {
      "openapi.yaml": toContract('paths: { "/a/{other}": { get: { $ref: "./operation.yaml" } } }\n'),
      "operation.yaml": operation,
    };
    await expect(load(files)).rejects.toMatchObject({
      problems: [
        {
          file: expect.stringMatching(/operation\.yaml$/),
          line: 1,
          message: expect.stringContaining("no such name"),
        },
        {
          file: expect.stringMatching(/operation\.yaml$/),
          line: 1,
          message: expect.stringContaining("found none"),
        },
      ],
    });
  });
});
