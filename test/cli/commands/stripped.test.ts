// @thorough: packs, compiles and starts services.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { send } from "../../support/http.js";
import { endProcesses } from "../../support/process-group.js";
import { packTenon } from "./packed.js";
import { Started } from "./started.js";

/** A Node.js that removes types: 22.18 or later. */
const { STRIPPING_NODE = process.execPath } = process.env;
const version = execFileSync(STRIPPING_NODE, ["-p", "`${process.version} ${process.features.typescript}`"], {
  encoding: "utf8",
  env: { ...process.env, NODE_OPTIONS: "" },
}).trim();
const strips = version.endsWith(" strip");
const reason = strips ? "" : ` (skipped: ${version} removes no types; name another one in STRIPPING_NODE)`;

let folder = "";
const run = (...argv: string[]) =>
  execFileSync(process.execPath, argv, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });

beforeAll(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-stripped-")));
  folder = join(root, "service");
  mkdirSync(folder);
  const { modules } = packTenon();
  run(join(modules, "@tenon/cli/dist/main.js"), "init");
  symlinkSync(modules, join(folder, "node_modules"));
  const tag = "tags:\n  - name: other\n    description: Others.\n";
  const operation = `paths:
  /others:
    get:
      operationId: listOthers
      summary: List others
      description: Lists others.
      tags: [other]
      responses:
        "204": { description: None. }
        "400": { $ref: "#/components/responses/BadRequest" }
        default: { $ref: "#/components/responses/Failure" }
`;
  const contract = join(folder, "openapi/v1.yaml");
  writeFileSync(
    contract,
    readFileSync(contract, "utf8").replace("tags:\n", tag).replace("paths:\n", operation),
  );
  // Every kind of generated file imports another one.
  const config = join(folder, "redocly.yaml");
  writeFileSync(
    config,
    readFileSync(config, "utf8").replace("importExtension", "split: true\n      importExtension"),
  );
  run("node_modules/@tenon/cli/dist/main.js", "generate");
  // The handlers of a new tag; index.ts has to import them.
  expect(() => run("node_modules/@tenon/cli/dist/main.js", "stubs")).toThrow();
  const index = join(folder, "src/handlers/index.ts");
  const text = readFileSync(index, "utf8");
  writeFileSync(
    index,
    `import { otherHandlers } from "./other.ts";\n${text.replace("  ...notesHandlers,", "  ...notesHandlers,\n  ...otherHandlers,")}`,
  );
});

afterAll(async () => {
  await endProcesses();
  rmSync(join(folder, ".."), { recursive: true });
});

async function callNotes(node: string, main: string): Promise<void> {
  const service = new Started(node, [main], {
    cwd: folder,
    env: { PORT: "0", NODE_ENV: "production", API_KEY: "secret", NODE_OPTIONS: "" },
  });
  try {
    const [, port] = await service.printed(/Docs: http:\/\/127\.0\.0\.1:(\d+)\/docs/);
    const headers = { Authorization: "Bearer secret" };
    expect(await send(Number(port), "/v1/notes", { headers })).toMatchObject({ status: 200, json: [] });
    expect(await send(Number(port), "/v1/others", { headers })).toMatchObject({ status: 501 });
  } finally {
    expect(await service.stop("SIGTERM")).toBe(0);
  }
}

describe("a new service", () => {
  (strips ? test : test.skip)(`runs from its sources, by Node alone${reason}`, async () => {
    await callNotes(STRIPPING_NODE, "src/main.ts");
  });

  test("runs on every supported Node once it is compiled", async () => {
    run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
    await callNotes(process.execPath, "dist/src/main.js");
  });
});
