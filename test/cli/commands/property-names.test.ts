// @thorough: type-checks what is generated.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createContractClient } from "tenon/client";
import { GENERATED_VERSION } from "tenon/core/version";
import { toCalls } from "../../support/calls.js";
import { send } from "../../support/http.js";
import { startThings } from "../../tenon/runtime/service.js";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { serve, toRouted } from "../mock/serve.js";
import { compile, installTenon } from "./compile.js";
import { runIn } from "./run.js";

/** Names that every object inherits, or that promises look for. */
const NAMES = ["hasOwnProperty", "__proto__", "constructor", "toString", "valueOf", "then"];

const CONTRACT = toContract(`  description: Names.
paths:
  /things:
    post:
      operationId: createThing
      summary: Creates a thing
      requestBody: { required: true, content: &content { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }
      responses:
        "201": { description: Created., content: *content }
        "400": { description: Bad., content: { application/json: { schema: { type: object, properties: { message: { type: string } } } } } }
components:
  schemas:
    Base:
      type: object
      required: [hasOwnProperty]
      properties:
        hasOwnProperty: { type: string }
    Thing:
      allOf: [{ $ref: "#/components/schemas/Base" }]
      required: ${JSON.stringify(NAMES)}
      properties:
        name: { type: string }
${NAMES.map((name) => `        ${name}: { type: string, maxLength: 5 }`).join("\n")}
`);

/** As text: an object literal would set its prototype. */
const THING = `{${NAMES.map((name) => `"${name}":"a"`).join()}}`;

const headers = { "content-type": "application/json" };

const createNamed = () =>
  createProject({
    "redocly.yaml": `${REDOCLY.replace("output: generated", "output: generated, handlers: src/handlers")}  no-required-schema-properties-undefined: error\n  no-illogical-composition-keywords: error\n`,
    "openapi.yaml": CONTRACT,
  });

test("properties with names that every object has are linted, generated, compiled and documented", async () => {
  const folder = createNamed();
  installTenon(folder);
  const lint = await runIn(folder, "lint");
  expect(lint.stdout).toMatch(
    /^openapi\.yaml:\d+:9 {2}no-required-schema-properties-undefined {2}warning: The rule is off/m,
  );
  expect(lint.exitCode).toBe(0);
  for (const command of ["generate", "stubs", "docs --out site"])
    expect(await runIn(folder, ...command.split(" "))).toMatchObject({ exitCode: 0 });
  const files = ["generated/server.ts", "generated/client.ts", "src/handlers/index.ts"];
  expect(compile(folder, files)).toEqual([]);
  const types = readFileSync(join(folder, "generated/types.ts"), "utf8");
  for (const name of NAMES) expect(types).toMatch(new RegExp(`^ +"?${name}"?: string;`, "m"));
});

test("properties with these names are validated, kept, and sent by the client and the mock server", async () => {
  const folder = createNamed();
  await runIn(folder, "generate");
  const document = JSON.parse(readFileSync(join(folder, "generated/contract.json"), "utf8")) as object;
  const undeclared = `${THING.slice(0, -1)},"isPrototypeOf":1,"toJSON":1}`;
  const service = await startThings({
    document,
    handlers: { createThing: (_, reply) => reply[201]?.(JSON.parse(undeclared)) },
    options: { responseValidation: "off" },
  });
  const mock = await serve(toRouted(document as Parameters<typeof toRouted>[0]));
  for (const { port } of [service, mock]) {
    const post = (body: string) => send(port, "/things", { method: "POST", headers, body });
    const sent = await post(THING);
    expect(sent.status).toBe(201);
    expect(Object.keys(JSON.parse(sent.text) as object)).toEqual(expect.arrayContaining(NAMES));
    expect(sent.text).not.toMatch(/isPrototypeOf|toJSON/);
    for (const name of NAMES) {
      expect((await post(THING.replace(`"${name}":"a"`, `"${name}":1`))).status).toBe(400);
      expect((await post(THING.replace(`"${name}":"a"`, '"name":"a"'))).status).toBe(400);
    }
  }
  const client = createContractClient<Record<"/things", { post: never }>>(
    { tenon: GENERATED_VERSION, securitySchemes: {}, security: [] },
    toCalls({ "/things": { post: { responses: [201, 400] } } }),
    { baseUrl: `http://127.0.0.1:${service.port}` },
  ) as unknown as { POST(path: string, init: object): Promise<{ data: object }> };
  const { data } = await client.POST("/things", { body: JSON.parse(THING) as object });
  expect(JSON.stringify(data)).toBe(JSON.stringify(JSON.parse(THING)));
  await service.stop();
  await mock.stop();
});
