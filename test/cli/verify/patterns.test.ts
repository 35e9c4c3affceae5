import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import { makeValid } from "../../../src/cli/verify/cases/index.js";
import { listShapes } from "../../../src/cli/verify/messages/index.js";
import { createCreatedResources } from "../../../src/cli/verify/run/creations.js";
import { createValidator } from "../../../src/cli/verify/validator.js";
import { createProject, toContract } from "../load/project.js";
import { loadTested } from "./run.js";

async function makeBodies(schema: string): Promise<readonly unknown[]> {
  const content = `{ application/json: { schema: ${schema} } }`;
  const post = `{ operationId: send, requestBody: { required: true, content: ${content} }, responses: { "204": { description: Done. } } }`;
  const folder = createProject({ "openapi.yaml": toContract(`paths: { /texts: { post: ${post} } }\n`) });
  const contract = await loadTested(pathToFileURL(join(folder, "openapi.yaml")));
  const requests = createValidator({ registry: contract.registry, side: "request" });
  const shapes = contract.operations.flatMap((operation) =>
    listShapes(operation).map((shape) => ({ operation, shape })),
  );
  await requests.prepare(shapes.map(({ shape }) => shape.schema));
  const context = { requests, resources: createCreatedResources([]), seed: 1 };
  const made = shapes.flatMap(({ operation, shape }) =>
    makeValid(operation, shape, { phase: "valid", count: 5 }, context),
  );
  requests.close();
  return made.map(({ value }) => value.body);
}

test.each([
  ["longer than usual texts", String.raw`^97[89]\d{10}$`, ""],
  ["longer than 64 characters", "^[0-9a-f]{80}$", ""],
  ["of a required length", "^[a-z]+$", ", minLength: 3, maxLength: 5"],
])("texts of a pattern can be %s", async (_, pattern, limits) => {
  const bodies = await makeBodies(`{ type: string, pattern: '${pattern}'${limits} }`);
  expect(bodies).toHaveLength(5);
  for (const body of bodies) expect(body).toMatch(new RegExp(pattern));
});

test("a pattern whose texts are all too long ends without a text", async () => {
  expect(await makeBodies("{ type: string, pattern: '^a{20}$', maxLength: 10 }")).toEqual([]);
});
