import { beforeEach, describe, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runStoreCommand } from "../../../src/petstore/store/copy-command.js";
import { openPostgresSide } from "../../../src/petstore/store/copy-postgres.js";
import { openSqliteSide } from "../../../src/petstore/store/copy-sqlite.js";
import { CopyError, type CopySide, copyStore } from "../../../src/petstore/store/copy.js";
import { createDirectory } from "../../support/directory.js";
import { describeEngines, type TestEngine } from "./engines.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NAMES = ["", "Rex", "é漢字🐕", "O'Neill \"; \\", "a\nb\t{x},NULL", "NULL", " x ".repeat(2000)];
const STATUSES = ["available", "pending", "sold", undefined] as const;

let source: string;
beforeEach(() => {
  source = `sqlite:${join(createDirectory(), "source.db")}`;
});

function openSide(url: string, mustExist = false): Promise<CopySide> {
  return url.startsWith("sqlite:")
    ? openSqliteSide(url.slice(7), mustExist)
    : openPostgresSide(url, mustExist);
}

/** Fills a store with all that it can hold, and a gap. */
async function fill(url: string, count: number): Promise<void> {
  const side = await openSide(url);
  const pets = Array.from({ length: count }, (_, index) => {
    const status = STATUSES[index % STATUSES.length];
    return {
      // The gap is where an animal was taken out.
      id: index < 10 ? index + 1 : index + 5,
      name: NAMES[index % NAMES.length] ?? "",
      categoryId: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, index][index % 4] ?? 0,
      ...(status !== undefined && { status }),
    };
  });
  await side.writePets(pets);
  const at = (day: number): Date => new Date(Date.UTC(2026, 10, day, 1, 2, 3, 4));
  const key = (id: string, byte: number): object => ({
    id,
    name: `é ${id}`,
    hash: Buffer.alloc(32, byte),
    createdAt: at(byte),
  });
  await side.writeKeys([
    { ...key("k_B", 1), replacedBy: "k_a", expiresAt: at(20) },
    { ...key("k_a", 2), revokedAt: at(21) },
    key("k_c", 3),
  ] as never);
  await side.writeKeyHistory({
    events: [
      { keyId: "k_B", event: "issue", at: at(1), actor: "ann@host" },
      { keyId: "k_B", event: "rotate", at: at(2), actor: "é 'bob'@host", successor: "k_a" },
    ],
    uses: new Map([
      ["k_B", at(5)],
      ["k_c", at(6)],
    ]),
  });
  // More than a step of the tests, in another order than some engines'.
  await side.writeUsedKeys(
    Array.from({ length: 25 }, (_, index) => ({
      caller: index % 2 === 0 ? "k_B" : "k_a",
      key: `"${["Z", "a", " ", "~", "-"][index % 5] ?? ""}${index}"`,
      fingerprint: Buffer.alloc(32, index),
      petId: index,
      usedAt: at(1 + index).toISOString(),
    })),
  );
  await side.writeLastId(count + 100);
  await side.close();
}

interface Content {
  readonly pets: readonly unknown[];
  readonly keys: readonly unknown[];
  readonly history: unknown;
  readonly usedKeys: readonly unknown[];
  readonly lastId: number;
}

async function read(url: string): Promise<Content> {
  const side = await openSide(url);
  const pets = await side.readPets(0, 1_000_000);
  const keys = (await side.readKeys()).map((key) => ({
    ...key,
    hash: Buffer.from(key.hash).toString("hex"),
  }));
  const history = await side.readKeyHistory();
  const usedKeys = (await side.readUsedKeys({ caller: "", key: "" }, 1_000_000)).map((key) => ({
    ...key,
    fingerprint: Buffer.from(key.fingerprint).toString("hex"),
  }));
  const lastId = await side.readLastId();
  await side.close();
  return {
    pets,
    history,
    keys: keys.sort((a, b) => (a.id < b.id ? -1 : 1)),
    usedKeys: usedKeys.sort((a, b) => a.petId - b.petId),
    lastId,
  };
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
  return { code, stdout, stderr };
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
      /^Copied 60 animals, and 3 keys\. Both sides are the same: SHA-256 [0-9a-f]{64}\n$/,
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
      const [from, to] = [await openSide(source), await openSide(there)];
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
    const side = await openSide(there);
    await side.writeUsedKeys([
      { caller: "k", key: "k", fingerprint: Buffer.alloc(32), petId: 1, usedAt: new Date().toISOString() },
    ]);
    await side.close();
    expect((await run("copy", "--from", source, "--to", there)).stdout).toMatch(
      /^Copied 50 animals, 30 of them before, and 3 keys\./,
    );
    expect(await read(there)).toStrictEqual(await read(source));
  });

  test("one that is done is done again without harm, and takes over what was added", async () => {
    await fill(source, 20);
    const there = await engine.create();
    for (const count of [20, 20, 21]) {
      if (count === 21) {
        const side = await openSide(source);
        await side.writePets([{ id: 500, name: "new", categoryId: 1 }]);
        await side.close();
      }
      const { code, stdout } = await run("copy", "--from", source, "--to", there);
      expect([code, stdout]).toMatchObject([0, expect.stringContaining(`Copied ${count} animals`)]);
    }
    expect(await read(there)).toStrictEqual(await read(source));
  });

  test("one whose process is killed goes on where it was", async () => {
    await fill(source, 60_000);
    const there = await engine.create();
    const command = [
      ...["--disable-warning=ExperimentalWarning", "--conditions=tenon-source", "--import", "tsx"],
      ...["src/petstore/store/main.ts", "copy", "--from", source, "--to", there],
    ];
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
    ["another animal", (side) => side.writePets([{ id: 1, name: "Rex", categoryId: 7 }])],
    ["an animal that the source lacks", (side) => side.writePets([{ id: 12, name: "Rex", categoryId: 7 }])],
    [
      "another key",
      (side) => side.writeKeys([{ id: "k_z", name: "z", hash: Buffer.alloc(32, 9), createdAt: new Date() }]),
    ],
  ])("a target with %s is refused and left alone", async (_, write) => {
    await fill(source, 20);
    const there = await engine.create();
    const side = await openSide(there);
    await write(side);
    await side.close();
    const before = await read(there);
    const { code, stdout, stderr } = await run("copy", "--from", source, "--to", there);
    expect([code, stdout]).toStrictEqual([1, ""]);
    expect(stderr).toMatch(/^\S+ holds other animals or keys than [^\n]*\n$/);
    expect(stderr).not.toContain("correct");
    expect(await read(there)).toStrictEqual(before);
  });

  test("a source that changes meanwhile is noticed", async () => {
    await fill(source, 20);
    const [from, to] = [await openSide(source), await openSide(await engine.create())];
    let isChanged = false;
    const copying = copyStore(from, to, {
      onProgress: (step) => {
        if (step !== "copied" || isChanged) return;
        isChanged = true;
        void from.writePets([{ id: 3000, name: "late", categoryId: 1 }]);
        void from.writeLastId(3000);
        void to.writePets([{ id: 2000, name: "later", categoryId: 1 }]);
      },
    });
    await expect(copying).rejects.toThrow(CopyError);
    await expect(copying).rejects.toThrow(
      /differs from .*: \d+ animals and 3 keys in place of \d+ and 3\. Stop/,
    );
    await Promise.all([from.close(), to.close()]);
  });

  test("idempotency keys that differ at the end are noticed", async () => {
    await fill(source, 20);
    const [from, to] = [await openSide(source), await openSide(await engine.create())];
    const copying = copyStore(from, to, {
      stepSize: 10,
      onProgress: (step, pets) => {
        if (step !== "verified" || pets !== 10) return;
        void to.deleteUsedKeys();
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
    if (engine.name === "postgres") {
      const { code, stderr } = await run("copy", "--from", await engine.create(), "--to", source);
      expect([code, stderr]).toMatchObject([1, expect.stringMatching(/it lacks what this program keeps/)]);
    }
  });
});

describe("usage", () => {
  test.each([["--help"], ["-h"], ["copy", "--help"]])(
    "%s %s prints help with an example",
    async (...argv) => {
      const { code, stdout, stderr } = await run(...argv);
      expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: [^]*Example: npm run -s store -- copy /);
    },
  );

  test.each([
    [[], /The only subcommand is "copy"/],
    [["move"], /The only subcommand is "copy"/],
    [["copy"], /Both --from and --to are needed/],
    [["copy", "--from", "sqlite:a"], /Both --from and --to are needed/],
    [["copy", "--from", "sqlite:a", "--to", "sqlite:a"], /the same database/],
    [["copy", "--from", "sqlite::memory:", "--to", "sqlite:a"], /must be sqlite:PATH/],
    [["copy", "--from", "mysql://u:secret@h/d", "--to", "sqlite:a"], /must be sqlite:PATH/],
    [["copy", "--form", "postgres://u:secret@h/d"], /'--form'/],
    [["copy", "postgres://u:secret@h/d"], /argument/],
  ])("%j exits 2 with a line that says what to do, and no password", async (argv, line) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^[^\n]+--help says more\.\n$/);
    expect(stderr).not.toContain("secret");
  });
});
