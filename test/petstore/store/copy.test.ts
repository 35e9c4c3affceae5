// @thorough: copies stores and stops in the middle.
import { beforeEach, describe, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runStoreCommand } from "../../../src/petstore/store/store-command.js";
import { CopyError, copyStore } from "../../../src/petstore/store/copy/copy.js";
import {
  type CopySide,
  IDEMPOTENCY_KEYS,
  KEY_EVENTS,
  KEY_USES,
  KEYS,
  openSide,
  PETS,
  type Row,
} from "../../../src/petstore/store/copy/side.js";
import { toCompiled } from "../../support/compiled.js";
import { createDirectory } from "../../support/directory.js";
import { describeEngines, type TestEngine } from "./engines.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NAMES = ["", "Rex", "é漢字🐕", "O'Neill \"; \\", "a\nb\t{x},NULL", "NULL", " x ".repeat(2000)];
const STATUSES = ["available", "pending", "sold", undefined] as const;

let source: string;
beforeEach(() => {
  source = `sqlite:${join(createDirectory(), "source.db")}`;
});

async function open(url: string): Promise<CopySide> {
  const side = await openSide(url, false);
  if (side === undefined) throw new Error(`${url} cannot be copied`);
  return side;
}

/** Fills a store with everything that it can contain, and a gap. */
async function fill(url: string, count: number): Promise<void> {
  const side = await open(url);
  const pets = Array.from({ length: count }, (_, index) => [
    // The gap is where a pet was deleted.
    index < 10 ? index + 1 : index + 5,
    NAMES[index % NAMES.length] ?? "",
    [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, index][index % 4] ?? 0,
    STATUSES[index % STATUSES.length] ?? null,
  ]);
  await side.insert(PETS, pets);
  const at = (day: number): string => new Date(Date.UTC(2026, 10, day, 1, 2, 3, 4)).toISOString();
  const key = (id: string, byte: number, ...state: [...(string | null)[]]): Row => {
    const [expiresAt = null, revokedAt = null, replacedBy = null] = state;
    return [id, `é ${id}`, at(byte), expiresAt, revokedAt, replacedBy, Buffer.alloc(32, byte)];
  };
  await side.insert(KEYS, [key("k_B", 1, at(20), null, "k_a"), key("k_a", 2, null, at(21)), key("k_c", 3)]);
  await side.insert(KEY_EVENTS, [
    ["k_B", "issue", at(1), "ann@host", null],
    ["k_B", "rotate", at(2), "é 'bob'@host", "k_a"],
  ]);
  await side.insert(KEY_USES, [
    ["k_B", at(5)],
    ["k_c", at(6)],
  ]);
  // More rows than a step of the tests, in another order than some engines sort them.
  const idempotencyKeys = Array.from({ length: 25 }, (_, index) => [
    index % 2 === 0 ? "k_B" : "k_a",
    `"${["Z", "a", " ", "~", "-"][index % 5] ?? ""}${index}"`,
    Buffer.alloc(32, index),
    index,
    at(1 + index),
  ]);
  await side.insert(IDEMPOTENCY_KEYS, idempotencyKeys);
  await side.writeLastId(count + 100);
  await side.close();
}

/** Everything in a store: rows of each table in an order that is the same on every engine, and the last `id`. */
async function read(url: string): Promise<object> {
  const side = await open(url);
  const content: Record<string, unknown> = { lastId: await side.readLastId() };
  for (const table of [PETS, KEYS, KEY_EVENTS, KEY_USES, IDEMPOTENCY_KEYS]) {
    const rows: string[] = [];
    for await (const step of side.read(table, 10_000)) rows.push(...step.map((row) => JSON.stringify(row)));
    content[table.name] = table === PETS ? rows : rows.sort();
  }
  await side.close();
  return content;
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...argv: readonly string[]): Promise<Outcome> {
  let [stdout, stderr] = ["", ""];
  const code = await runStoreCommand(argv, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  // A copy that takes longer than a second shows its progress.
  return { code, stdout, stderr: stderr.replaceAll(/^\d[\d,]* pets \w+\n/gm, "") };
}

/** Between engines, and back again. */
describeEngines((engine: TestEngine) => {
  test("a copy, and a copy of the copy in SQLite, are the same to the last bit", async () => {
    await fill(source, 60);
    const there = await engine.create();
    const back = `sqlite:${join(createDirectory(), "back.db")}`;
    const [first, second] = [
      await run("copy", "--from", source, "--to", there),
      await run("copy", "--from", there, "--to", back),
    ];
    expect([first, second]).toMatchObject([
      { code: 0, stderr: "" },
      { code: 0, stderr: "" },
    ]);
    expect(first.stdout).toMatch(
      /^Copied 60 pets and 3 keys\. Both databases are equal: SHA-256 [0-9a-f]{64}\n$/,
    );
    expect(second.stdout).toBe(first.stdout);
    expect(await read(there)).toStrictEqual(await read(source));
    expect(await read(back)).toStrictEqual(await read(source));

    const store = await engine.open(there);
    expect(await store.pets.create({ name: "Rex", categoryId: 1 })).toMatchObject({ id: 161 });
    await store.close();
  });

  test("one that was cut short goes on where it was", async () => {
    await fill(source, 50);
    const there = await engine.create();
    for (const cut of [20, 30]) {
      const [from, to] = [await open(source), await open(there)];
      const copying = copyStore(from, to, {
        stepSize: 10,
        onProgress: (step, pets) => {
          if (step === "copied" && pets === cut) throw new Error("cut");
        },
      });
      await expect(copying).rejects.toThrow("cut");
      await Promise.all([from.close(), to.close()]);
    }
    // The service ran again, and forgot a key that is in the target already.
    const side = await open(there);
    await side.insert(IDEMPOTENCY_KEYS, [["k", "k", Buffer.alloc(32), 1, new Date().toISOString()]]);
    await side.close();
    expect((await run("copy", "--from", source, "--to", there)).stdout).toMatch(
      /^Copied 50 pets \(30 of them earlier\) and 3 keys\./,
    );
    expect(await read(there)).toStrictEqual(await read(source));
  });

  test("one that is done is done again without harm, and takes over what was added", async () => {
    await fill(source, 20);
    const there = await engine.create();
    for (const count of [20, 20, 21]) {
      if (count === 21) {
        const side = await open(source);
        await side.insert(PETS, [[500, "new", 1, null]]);
        await side.close();
      }
      const { code, stdout } = await run("copy", "--from", source, "--to", there);
      expect([code, stdout]).toMatchObject([0, expect.stringContaining(`Copied ${count} pets`)]);
    }
    expect(await read(there)).toStrictEqual(await read(source));
  });

  test("one whose process is killed goes on where it was", async () => {
    await fill(source, 20_000);
    const there = await engine.create();
    const flags = ["--disable-warning=ExperimentalWarning", toCompiled("src/petstore/store/main.ts")];
    const command = [...flags, "copy", "--from", source, "--to", there];
    const child = spawn(process.execPath, command, {
      cwd: ROOT,
      stdio: "ignore",
      env: { PATH: process.env["PATH"] },
    });
    const closed = once(child, "close");
    let copied = 0;
    while (copied === 0) {
      const rows = await engine
        .query(there, "select count(*) as count from pets")
        .catch(() => [{ count: 0 }]);
      copied = Number((rows[0] as { count: number | string }).count);
    }
    child.kill("SIGKILL");
    await closed;
    expect(await run("copy", "--from", source, "--to", there)).toMatchObject({ code: 0 });
    expect(await read(there)).toStrictEqual(await read(source));
  });

  test.each<[string, (side: CopySide) => Promise<void>]>([
    ["another pet", (side) => side.insert(PETS, [[1, "Rex", 7, null]])],
    ["a pet that the source lacks", (side) => side.insert(PETS, [[12, "Rex", 7, null]])],
    [
      "another key",
      (side) =>
        side.insert(KEYS, [["k_z", "z", new Date().toISOString(), null, null, null, Buffer.alloc(32, 9)]]),
    ],
  ])("a target with %s is refused and left alone", async (_, write) => {
    await fill(source, 20);
    const there = await engine.create();
    const side = await open(there);
    await write(side);
    await side.close();
    const before = await read(there);
    const { code, stdout, stderr } = await run("copy", "--from", source, "--to", there);
    expect([code, stdout]).toStrictEqual([1, ""]);
    expect(stderr).toMatch(/^\S+ contains pets or keys that [^\n]*\n$/);
    expect(stderr).not.toContain("correct");
    expect(await read(there)).toStrictEqual(before);
  });

  test("a source that changes meanwhile is noticed", async () => {
    await fill(source, 20);
    const [from, to] = [await open(source), await open(await engine.create())];
    let isChanged = false;
    const copying = copyStore(from, to, {
      onProgress: (step) => {
        if (step !== "copied" || isChanged) return;
        isChanged = true;
        void from.insert(PETS, [[3000, "late", 1, null]]);
        void to.insert(PETS, [[2000, "later", 1, null]]);
      },
    });
    await expect(copying).rejects.toThrow(CopyError);
    await expect(copying).rejects.toThrow(/differs from .*: \d+ pets and 3 keys instead of \d+ and 3\. Stop/);
    await Promise.all([from.close(), to.close()]);
  });

  test("idempotency keys that differ at the end are noticed", async () => {
    await fill(source, 20);
    const [from, to] = [await open(source), await open(await engine.create())];
    const copying = copyStore(from, to, {
      stepSize: 10,
      onProgress: (step, pets) => {
        if (step !== "verified" || pets !== 10) return;
        void to.clear(IDEMPOTENCY_KEYS);
      },
    });
    await expect(copying).rejects.toThrow(CopyError);
    await Promise.all([from.close(), to.close()]);
  });

  test("a source that is not there is told, and not created", async () => {
    const missing = `sqlite:${join(createDirectory(), "missing.db")}`;
    const there = await engine.create();
    expect(await run("copy", "--from", missing, "--to", there)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/missing\.db: there is no such file\.\n$/) as unknown,
    });
    expect(existsSync(missing.slice(7))).toBe(false);
    const { code, stderr } = await run("copy", "--from", await engine.create(), "--to", source);
    expect(code).toBe(1);
    const isFile = engine.name === "sqlite";
    expect(stderr).toMatch(isFile ? /there is no such file/ : /its tables are missing or out of date/);
  });
});

describe("usage", () => {
  const COPY = ["copy", "--from", "sqlite:a", "--to", "sqlite:b"];

  test.each([["--help"], ["-h"], ["copy", "--help"]])(
    "%s %s prints help with an example",
    async (...argv) => {
      const { code, stdout, stderr } = await run(...argv);
      expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: [^]*Example: npm run -s store -- copy /);
    },
  );

  test.each([
    [[], /missing subcommand: copy/],
    [["move"], /unknown command 'move'/],
    [["postgres://u:secret@h/d"], /unknown command/],
    [["copy"], /required option '--from <url>' not specified/],
    [["copy", "--from", "sqlite:a"], /required option '--to <url>' not specified/],
    [["copy", "--from", "sqlite:a", "--to", "sqlite:a"], /the same database/],
    [["copy", "--from", "sqlite::memory:", "--to", "sqlite:a"], /must be sqlite:PATH/],
    [["copy", "--from", "mysql://u:secret@h/d", "--to", "sqlite:a"], /must be sqlite:PATH/],
    [["copy", "--form", "postgres://u:secret@h/d"], /required option '--from <url>' not specified/],
    [[...COPY, "--form", "postgres://u:secret@h/d"], /unknown option '--form'/],
    [[...COPY, "postgres://u:secret@h/d"], /too many arguments/],
  ])("%j exits 2 with a line that says what to do, and no password", async (argv, line) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^[^\n]+; see --help\n$/);
    expect(stderr).not.toContain("secret");
  });
});
