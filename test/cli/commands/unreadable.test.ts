// @thorough: starts commands as a user who may not read everything.
import {
  appendFileSync,
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { endProcesses } from "../../support/process-group.js";
import { installPacked, toPackedCommand } from "./packed.js";
import { runIn } from "./run.js";
import { Started } from "./started.js";

const MAIN = toPackedCommand();

/** The user `nobody`; root may read everything. */
const UID = process.getuid?.() === 0 ? 65534 : undefined;

/** A service for all tests, which restore what they change. */
let folder = "";

beforeAll(async () => {
  folder = await createService();
});

afterAll(async () => {
  await endProcesses();
  rmSync(folder, { recursive: true, force: true });
});

function own(path: string): void {
  if (UID !== undefined) lchownSync(path, UID, UID);
}

/** Creates a service that belongs to the user who runs the commands. */
async function createService(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-unreadable-")));
  await runIn(folder, "init");
  installPacked(folder, ["express", "tsx", "typescript", "@types/node", "@types/express"]);
  // Not in this process, which resolves packages to sources: packed ones have none.
  await new Started(process.execPath, [MAIN, "generate"], { cwd: folder }).ended();
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    own(join(folder, name));
  return folder;
}

function start(...argv: readonly string[]): Started {
  return new Started(process.execPath, [MAIN, ...argv], {
    cwd: folder,
    // The folder of the coverage belongs to the user who runs the tests.
    env: { PORT: "0", NODE_OPTIONS: "", HOME: folder, TENON_COVERAGE: undefined },
    uid: UID,
  });
}

describe("a file that this user may not read is an error in one line, with exit code 2", () => {
  test.each([
    ["stubs", "src/handlers/notes.ts"],
    ["docs", "generated/v1"],
    ["generate", "generated/v1"],
    ["generate --check", "generated/v1/contract.json"],
  ])("tenon %s: %s", async (command, path) => {
    chmodSync(join(folder, path), 0);
    const started = start(...command.split(" "));
    await started.printed(
      new RegExp(`^Cannot read ${path}\\S*: permission is denied; let this user read it\\n`),
    );
    expect(await started.ended()).toBe(2);
    chmodSync(join(folder, path), 0o700);
  });
});

describe("tenon dev goes on", () => {
  let dev: Started;

  test("beside a folder that it may not read, and links that lead in a circle or to all processes", async () => {
    mkdirSync(join(folder, "data"));
    own(join(folder, "data"));
    chmodSync(join(folder, "data"), 0);
    symlinkSync(".", join(folder, "circle"));
    symlinkSync("self", join(folder, "self"));
    symlinkSync("/proc", join(folder, "processes"));
    dev = start("dev");
    await dev.printed(/^tenon: cannot watch \S*\/data: permission is denied; let this user read it$/m);
    await dev.printed(/^tenon: cannot watch \S*\/self: its symbolic links lead in a circle$/m);
    await dev.printed(/^tenon: started/m);
    appendFileSync(join(folder, "src/notes.ts"), "// New.\n");
    const [between] = await dev.printed(/[^]*^tenon: restarted/m);
    expect(between).not.toContain("cannot watch");
  });

  test("with a file whose name controls terminals", async () => {
    writeFileSync(join(folder, "src/\u001b]0;mine\u0007.ts"), 'export const a: number = "x";\n');
    await dev.printed(/^tenon: saved src\/\\u001b\]0;mine\\u0007\.ts$/m);
    await dev.printed(/^src\/\\u001b\]0;mine\\u0007\.ts:1:14 {2}TS2322 /m);
  });

  test.each([
    ["src/handlers/notes.ts", /the last good service is still running/, /^tenon: restarted/m],
    ["openapi/v1.yaml", /the contract has errors; the last good service is still running/, /nothing changed/],
    ["redocly.yaml", /the contract has errors; the last good service is still running/, /nothing changed/],
  ])("while it may not read %s", async (name, message, end) => {
    const path = join(folder, name);
    // A mode alone may be no change for the watcher, which compares times.
    appendFileSync(path, "\n");
    chmodSync(path, 0);
    await dev.printed(message);
    chmodSync(path, 0o600);
    appendFileSync(path, "\n");
    await dev.printed(end);
  });

  test("until it is stopped", async () => {
    expect(await dev.stop("SIGINT")).toBe(0);
  });
});

test("tenon mock goes on beside a folder that it may not read", async () => {
  mkdirSync(join(folder, "more"), 0);
  own(join(folder, "more"));
  const mock = start("mock", "--port", "0");
  await mock.printed(/the mock listens at/);
  expect(await mock.stop("SIGINT")).toBe(0);
});
