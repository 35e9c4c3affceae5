import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createConfig } from "@redocly/openapi-core";
import { loadContract } from "../../../src/cli/load/index.js";
import { ContractError } from "../../../src/tenon/core/document/contract-error.js";
import { createProject, toContract } from "./project.js";

const CAT = "Cat: { type: object, properties: { kind: { type: string } } }";

/** Loads a contract with a schema and returns its problems. */
async function load(schema: string): Promise<readonly string[]> {
  const contract = toContract(`paths: {}\ncomponents:\n  schemas:\n    ${CAT}\n    Pet: ${schema}\n`);
  const folder = createProject({ "openapi.yaml": contract, "cat.yaml": "Lion: { type: object }\n" });
  const loaded = await loadContract(join(folder, "openapi.yaml"), await createConfig({})).catch(
    (error: unknown) => {
      if (error instanceof ContractError) return error;
      throw error;
    },
  );
  return loaded.problems.map(({ code, severity, line, message }) => `${severity} ${line} ${code} ${message}`);
}

const INLINE = 'oneOf: [{ $ref: "#/components/schemas/Cat" }, { type: object }]';
const NAMED = 'oneOf: [{ $ref: "#/components/schemas/Cat" }]';
const toDiscriminator = (target: string) =>
  `discriminator: { propertyName: kind, mapping: { cat: "${target}" } }`;

describe("a mapping that leads to no schema", () => {
  const targets = ["models/cat.yaml", "cat.yaml#/Dog", "#/components/schemas/Dog", "#/dog", "Dog"];

  test.each(targets)("is ignored where an alternative has no name: %s", async (target) => {
    const problem = `warning 9 mapping-ignored "${target}" does not exist, and is ignored`;
    expect(await load(`{ ${INLINE}, ${toDiscriminator(target)} }`)).toEqual([problem]);
    expect(await load(`{ properties: { in: { type: object, ${toDiscriminator(target)} } } }`)).toEqual([
      problem,
    ]);
  });

  test.each(targets)("is an error where it would select an alternative: %s", async (target) => {
    const [first = ""] = await load(`{ ${NAMED}, ${toDiscriminator(target)} }`);
    expect(first).toMatch(/^error 9 reference-unresolved Cannot resolve/);
    const [heir = ""] = await load(`{ type: object, ${toDiscriminator(target)} }`);
    expect(heir).toMatch(/^error 9 reference-unresolved Cannot resolve/);
  });
});

test.each(["#/components/schemas/Cat", "Cat", "cat.yaml#/Lion"])(
  "the mapping to %s stays",
  async (target) => {
    expect(await load(`{ ${INLINE}, ${toDiscriminator(target)} }`)).toEqual([]);
  },
);
