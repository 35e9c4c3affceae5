// @slow: loads a project for every problem code.
import { relative } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createSites } from "../../../src/cli/docs/index.js";
import { loadApis } from "../../../src/cli/project/index.js";
import { emitApi } from "../../../src/cli/generator/index.js";
import {
  CONTRACT_ERRORS,
  CONTRACT_WARNINGS,
  ContractError,
  type ContractProblemCode,
} from "../../../src/tenon/core/document/contract-error.js";
import { createProject, REDOCLY, toContract } from "./project.js";

const OPERATION = 'get: { operationId: first, responses: { "204": { description: Done. } } }';

const OVERLAID = { "redocly.yaml": REDOCLY.replace("generated }", "generated, overlays: [overlay.yaml] }") };
const OVERLAY = "overlay: 1.1.0\ninfo: { title: Test, version: 1.0.0 }\n";

/** For each code of the table: a project that provokes it, and where it is reported. */
const PROVOKED: Readonly<Record<ContractProblemCode, { files: Record<string, string>; at: string }>> = {
  "api-diff": {
    files: {
      "redocly.yaml": REDOCLY.replace("generated", "generated, diff: { levels: { operation-removed: bad } }"),
    },
    at: "redocly.yaml:4:53",
  },
  "api-docs": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, docs: { guides: [none.md] }") },
    at: "redocly.yaml:4:52",
  },
  "api-handlers": {
    files: {
      "redocly.yaml": REDOCLY.replace("output: generated", "output: generated, handlers: ../elsewhere"),
    },
    at: "redocly.yaml:4:35",
  },
  "api-generate": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, generate: [forms]") },
    at: "redocly.yaml:4:35",
  },
  "api-codecs": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, codecs: { date: Date }") },
    at: "redocly.yaml:4:35",
  },
  "api-group-by-tag": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, groupByTag: pets") },
    at: "redocly.yaml:4:35",
  },
  "api-import-extension": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, importExtension: mjs") },
    at: "redocly.yaml:4:35",
  },
  "api-lenient": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, lenient: 5") },
    at: "redocly.yaml:4:35",
  },
  "api-main": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, main: 5") },
    at: "redocly.yaml:4:35",
  },
  "api-output": {
    files: { "redocly.yaml": REDOCLY.replace("output: generated", "output: ../elsewhere") },
    at: "redocly.yaml:4:16",
  },
  "api-module": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, module: amd") },
    at: "redocly.yaml:4:35",
  },
  "api-overlays": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, overlays: ../a.yaml") },
    at: "redocly.yaml:4:35",
  },
  "api-reference-hosts": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, referenceHosts: [https://x.example]") },
    at: "redocly.yaml:4:35",
  },
  "api-split": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, split: yes please") },
    at: "redocly.yaml:4:35",
  },
  "base-path": {
    files: { "openapi.yaml": toContract("servers:\n  - url: https://[\npaths: {}\n") },
    at: "openapi.yaml:6:5",
  },
  "client-types": {
    files: {
      "openapi.yaml": toContract(
        'paths: {}\ncomponents:\n  responses:\n    a:\n      description: It is unused.\n      content: { application/json: { schema: { allOf: [{ $ref: "#/components/responses/a/content/application~1json/schema" }] } } }\n',
      ),
    },
    at: "openapi.yaml:10:38",
  },
  "component-renamed": {
    files: {
      "openapi.yaml": toContract(
        "paths: {}\ncomponents:\n  schemas:\n    A: { $ref: a/X.yaml }\n    B: { $ref: b/X.yaml }\n",
      ),
      "a/X.yaml": "type: string\n",
      "b/X.yaml": "type: integer\n",
    },
    at: "openapi.yaml:9:8",
  },
  "config-invalid": {
    files: { "redocly.yaml": `${REDOCLY}plugins: [./nowhere.js]\n` },
    at: "redocly.yaml:1:1",
  },
  "config-missing": {
    files: { "redocly.yaml": "apis:\n  v1:\n    root: openapi.yaml\n" },
    at: "redocly.yaml:1:1",
  },
  "config-unknown": {
    files: { "redocly.yaml": REDOCLY.replace("generated", "generated, handler: src") },
    at: "redocly.yaml:4:35",
  },
  "date-invalid": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    get:\n      x-sunset: 2030-02-30\n      responses: { "204": { description: Done. } }\n',
      ),
    },
    at: "openapi.yaml:8:7",
  },
  "document-syntax": {
    files: { "openapi.yaml": toContract("paths:\n  /a: [\n  /b: }\n") },
    at: "openapi.yaml:7:3",
  },
  "document-unreadable": { files: {}, at: "redocly.yaml:3:11" },
  "document-version": {
    files: { "openapi.yaml": 'swagger: "2.0"\nopenapi: 4.0.0\n' },
    at: "openapi.yaml:2:1",
  },
  "encoding-unsupported": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    post:\n      requestBody:\n        content:\n          multipart/mixed: { schema: { type: object }, itemEncoding: { contentType: text/plain } }\n      responses: { "204": { description: Done. } }\n',
      ).replace("3.1.0", "3.2.0"),
    },
    at: "openapi.yaml:10:56",
  },
  "expansion-limit": {
    files: {
      "openapi.yaml": toContract(
        `paths: {}\nx-a0: &a0 [[], []]\n${Array.from({ length: 16 }, (_, i) => `x-a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join("")}`,
      ),
    },
    at: "openapi.yaml:20:21",
  },
  "example-ignored": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    get:\n      parameters:\n        - name: ids\n          in: query\n          schema: { type: array }\n          examples: { some: { serializedValue: "ids=1&ids=2" } }\n      responses: { "204": { description: Done. } }\n',
      ).replace("3.1.0", "3.2.0"),
    },
    at: "openapi.yaml:12:31",
  },
  "form-whole": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    post:\n      requestBody:\n        content:\n          application/x-www-form-urlencoded: { schema: { type: string } }\n      responses: { "204": { description: Done. } }\n',
      ),
    },
    at: "openapi.yaml:10:48",
  },
  "guide-link": {
    files: {
      "redocly.yaml": REDOCLY.replace("generated", "generated, docs: { guides: [guide.md] }"),
      "openapi.yaml": toContract("paths: {}\n"),
      "guide.md": "# Guide\n\nA [link](none.md).\n",
    },
    at: "guide.md:3:3",
  },
  "lint-failed": {
    files: {
      "openapi.yaml": toContract("paths: {}\n"),
      "plugin.mjs":
        'export default () => ({ id: "own", rules: { oas3: { own: () => ({ Root() { throw new Error("Said."); } }) } } });\n',
      "redocly.yaml": `${REDOCLY}  own/own: warn\nplugins: [./plugin.mjs]\n`,
    },
    at: "openapi.yaml:1:1",
  },
  "media-type-unsupported": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    get:\n      responses:\n        "200":\n          description: Both.\n          content:\n            application/json: {}\n            text/csv; charset=latin1: {}\n',
      ),
    },
    at: "openapi.yaml:13:13",
  },
  "method-unsupported": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    additionalOperations:\n      GREP: { responses: { "204": { description: Done. } } }\n',
      ).replace("3.1.0", "3.2.0"),
    },
    at: "openapi.yaml:8:7",
  },
  "module-open": {
    files: { "package.json": "{}", "openapi.yaml": toContract("paths: {}\n") },
    at: "redocly.yaml:4:5",
  },
  "default-ignored": {
    files: {
      "openapi.yaml": toContract(
        "paths: {}\ncomponents:\n  schemas:\n    A: { type: integer, default: ten }\n",
      ),
    },
    at: "openapi.yaml:8:25",
  },
  "mapping-ignored": {
    files: {
      "openapi.yaml": toContract(
        "paths: {}\ncomponents:\n  schemas:\n    A: { anyOf: [{}], discriminator: { propertyName: kind, mapping: { a: a.yaml } } }\n",
      ),
    },
    at: "openapi.yaml:8:74",
  },
  "name-changed": {
    files: {
      "openapi.yaml": toContract("paths: {}\ncomponents:\n  schemas:\n    pet-name: {}\n    PetName: {}\n"),
    },
    at: "openapi.yaml:9:5",
  },
  "operation-id-duplicate": {
    files: { "openapi.yaml": toContract(`paths:\n  /a:\n    ${OPERATION}\n  /b:\n    ${OPERATION}\n`) },
    at: "openapi.yaml:9:12",
  },
  "header-name": {
    files: {
      "openapi.yaml": toContract(
        "paths: {}\ncomponents:\n  securitySchemes:\n    key: { type: apiKey, in: header, name: The Key }\n",
      ),
    },
    at: "openapi.yaml:8:38",
  },
  "overlay-invalid": {
    files: { ...OVERLAID, "openapi.yaml": toContract("paths: {}\n"), "overlay.yaml": "overlay: 3.0.0\n" },
    at: "overlay.yaml:1:1",
  },
  "overlay-extends": {
    files: {
      ...OVERLAID,
      "openapi.yaml": toContract("paths: {}\n"),
      "overlay.yaml": `${OVERLAY}extends: other.yaml\nactions: [{ target: $ }]\n`,
    },
    at: "overlay.yaml:3:10",
  },
  "overlay-unmatched": {
    files: {
      ...OVERLAID,
      "openapi.yaml": toContract("paths: {}\n"),
      "overlay.yaml": `${OVERLAY}actions: [{ target: $.none }]\n`,
    },
    at: "overlay.yaml:3:21",
  },
  "parameter-json": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    get:\n      parameters:\n        - name: ids\n          in: query\n          style: pipeDelimited\n          schema: { items: { type: array } }\n      responses: { "204": { description: Done. } }\n',
      ),
    },
    at: "openapi.yaml:11:11",
  },
  "part-left-out": {
    files: {
      "redocly.yaml": REDOCLY.replace("generated", "generated, lenient: true"),
      "openapi.yaml": toContract(`paths:\n  /a:\n    ${OPERATION}\n  /b:\n    get: { responses: 5 }\n`),
    },
    at: "openapi.yaml:9:23",
  },
  "parameter-text": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    get:\n      parameters:\n        - name: ids\n          in: query\n          content:\n            text/csv: {}\n      responses: { "204": { description: Done. } }\n',
      ),
    },
    at: "openapi.yaml:12:13",
  },
  "parameter-style": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    get:\n      parameters:\n        - name: ids\n          in: header\n          style: form\n          schema: { type: array }\n      responses: { "204": { description: Done. } }\n',
      ),
    },
    at: "openapi.yaml:11:11",
  },
  "path-duplicate": {
    files: {
      "openapi.yaml": toContract(
        `paths:\n${["a", "b"].map((name) => `  /{${name}}:\n    parameters: [{ name: ${name}, in: path, required: true, schema: {} }]\n    get: { responses: {} }\n`).join("")}`,
      ),
    },
    at: "openapi.yaml:11:5",
  },
  "querystring-invalid": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    get:\n      parameters: [{ name: a, in: querystring, schema: {} }]\n      responses: { "204": { description: Done. } }\n',
      ).replace("3.1.0", "3.2.0"),
    },
    at: "openapi.yaml:8:20",
  },
  "reference-forbidden": {
    files: { "openapi.yaml": toContract("paths:\n  /a: { $ref: ../nowhere.yaml }\n") },
    at: "openapi.yaml:6:7",
  },
  "reference-unresolved": {
    files: { "openapi.yaml": toContract("paths:\n  /a: { $ref: nowhere.yaml }\n") },
    at: "openapi.yaml:6:7",
  },
  "replaced-by-unknown": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    get:\n      x-replaced-by: nobody\n      responses: { "204": { description: Done. } }\n',
      ),
    },
    at: "openapi.yaml:8:7",
  },
  "rule-required": {
    files: { "redocly.yaml": REDOCLY.replace("struct: error", "struct: off") },
    at: "redocly.yaml:6:3",
  },
  "schema-circular": {
    files: {
      "openapi.yaml": toContract(
        "paths: {}\ncomponents:\n  schemas:\n    A:\n      anyOf:\n        - $ref: '#/components/schemas/A'\n        - type: string\n",
      ),
    },
    at: "openapi.yaml:8:5",
  },
  "schema-ignored": {
    files: {
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    post:\n      requestBody:\n        content:\n          application/jsonl: { schema: { type: array } }\n      responses: { "204": { description: Done. } }\n',
      ),
    },
    at: "openapi.yaml:10:32",
  },
  "schema-unsupported": {
    files: {
      "openapi.yaml": toContract(
        "paths: {}\ncomponents:\n  schemas:\n    A:\n      properties:\n        a: { $dynamicRef: '#node' }\n",
      ),
    },
    at: "openapi.yaml:10:14",
  },
  "server-variable": {
    files: {
      "openapi.yaml": toContract(
        "servers:\n  - url: /{tenant}\n    variables: { tenant: { default: a } }\npaths: {}\n",
      ),
    },
    at: "openapi.yaml:7:18",
  },
  "self-invalid": {
    files: {
      "openapi.yaml": toContract('$self: "https://a.example/openapi.yaml#v1"\npaths: {}\n').replace(
        "3.1.0",
        "3.2.0",
      ),
    },
    at: "openapi.yaml:5:1",
  },
  "security-scheme-unknown": {
    files: {
      "openapi.yaml": toContract(`security:\n  - nobody: []\npaths:\n  /a:\n    ${OPERATION}\n`),
    },
    at: "openapi.yaml:6:5",
  },
};

async function findProblems(folder: string) {
  try {
    const apis = await loadApis(folder);
    const emitted = await Promise.all(apis.map((api) => emitApi(api, folder)));
    const documented = apis.filter(({ docs }) => docs !== undefined);
    await createSites(documented, { cwd: folder, now: 0 });
    return emitted.flatMap(({ warnings }) => warnings);
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
}

describe("contract problems: every code of the table is raised where it is", () => {
  test.each(Object.keys({ ...CONTRACT_ERRORS, ...CONTRACT_WARNINGS }) as ContractProblemCode[])(
    "%s",
    async (code) => {
      const { files, at } = PROVOKED[code];
      const folder = createProject(files);
      const found = (await findProblems(folder)).map((problem) => ({
        code: problem.code,
        at: `${relative(folder, problem.file)}:${problem.line}:${problem.column}`,
      }));
      expect(found).toContainEqual({ code, at });
    },
  );
});

describe("contract problems: positions", () => {
  test("name the file that wrote it, not the bundled document", async () => {
    const folder = createProject({
      "openapi.yaml": toContract("paths:\n  /a: { $ref: paths/a.yaml }\n"),
      "paths/a.yaml": 'get:\n  x-sunset: soon\n  responses:\n    "204": { description: Done. }\n',
    });
    expect(await findProblems(folder)).toMatchObject([
      { code: "date-invalid", file: `${folder}/paths/a.yaml`, line: 2, column: 3, pointer: "#/get/x-sunset" },
    ]);
  });

  test("name the line of a syntax error in a referenced file", async () => {
    const folder = createProject({
      "openapi.yaml": toContract("paths:\n  /a: { $ref: paths/a.yaml }\n"),
      "paths/a.yaml": "get: {}\npost: [\n",
    });
    expect(await findProblems(folder)).toContainEqual(
      expect.objectContaining({ code: "document-syntax", file: `${folder}/paths/a.yaml`, line: 3 }),
    );
  });

  test("come with a lint problem's rule as its code", async () => {
    const folder = createProject({ "openapi.yaml": toContract("paths: {}\nunknown: true\n") });
    expect(await findProblems(folder)).toMatchObject([
      { code: "struct", severity: "error", line: 6, column: 1 },
    ]);
  });

  test("of an operation's own security are at its requirement", async () => {
    const own = 'get: { security: [{ nobody: [] }], responses: { "204": { description: Done. } } }';
    const folder = createProject({ "openapi.yaml": toContract(`paths:\n  /a:\n    ${own}\n`) });
    expect(await findProblems(folder)).toMatchObject([
      { code: "security-scheme-unknown", pointer: "#/paths/~1a/get/security/0/nobody" },
    ]);
  });

  test("do not come from the value of an extension", async () => {
    const samples = "x-code-samples: [{ name: Shell, code: date }]";
    const own = `get: { ${samples}, responses: { "204": { description: Done. } } }`;
    const folder = createProject({
      "openapi.yaml": toContract(`x-webhooks: { enabled: false }\npaths:\n  /a:\n    ${own}\n`),
    });
    expect(await findProblems(folder)).toEqual([]);
  });

  test("are told all at once", async () => {
    const folder = createProject({
      "openapi.yaml": toContract(
        'paths:\n  /a:\n    get:\n      x-sunset: soon\n      x-replaced-by: nobody\n      responses: { "204": { description: Done. } }\n',
      ),
    });
    expect((await findProblems(folder)).map(({ code }) => code)).toEqual([
      "date-invalid",
      "replaced-by-unknown",
    ]);
  });
});

test("what several operations refer to is told of once", async () => {
  const get = `get: { parameters: [{ $ref: "#/components/parameters/q" }], responses: { "204": { description: Done. } } }`;
  const folder = createProject({
    "openapi.yaml": toContract(
      `paths:\n  /a:\n    ${get}\n  /b:\n    ${get}\ncomponents:\n  parameters:\n    q: { name: q, in: query, x-sunset: soon, schema: {} }\n`,
    ),
  });
  expect(await findProblems(folder)).toMatchObject([{ code: "date-invalid", line: 12 }]);
});

test("a type that cannot have the name of its schema or operation is told, where that is declared", async () => {
  const folder = createProject({
    "openapi.yaml": toContract(
      `paths:
  /a:
    post:
      operationId: one
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/One" } } } }
      responses: { "204": { description: Done. } }
components:
  schemas:
    Promise: {}
    One: { properties: { id: { readOnly: true } } }
`,
    ),
  });
  expect(await findProblems(folder)).toMatchObject([
    { code: "name-changed", line: 13, message: expect.stringContaining("is Promise_, because") },
    { code: "name-changed", line: 7, message: expect.stringContaining("is OneRequest_, because") },
  ]);
});
