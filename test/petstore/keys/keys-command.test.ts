import { beforeEach, describe, expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { hostname, userInfo } from "node:os";
import process from "node:process";
import { runKeysCommand } from "../../../src/petstore/keys/keys-command.js";
import { Keys } from "../../../src/petstore/keys/keys.js";
import { openStore } from "../../../src/petstore/store/open.js";
import { describeEngines } from "../store/engines.js";

const KEY = /^petstore_[0-9A-Za-z]{49}\n$/;
const ID = /k_[0-9A-Za-z]{10}/;

describeEngines((engine) => {
  let env: Record<string, string>;

  beforeEach(async () => {
    env = { DATABASE_URL: await engine.create() };
  });

  interface Outcome {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
  }

  async function run(...argv: readonly string[]): Promise<Outcome> {
    let [stdout, stderr] = ["", ""];
    const code = await runKeysCommand(argv, {
      env,
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
    });
    return { code, stdout, stderr };
  }

  async function issue(...flags: readonly string[]): Promise<string> {
    return ID.exec((await run("issue", "--name", "Web shop", ...flags)).stderr)?.[0] ?? "";
  }

  describe("issue", () => {
    test("prints the key alone; it authenticates", async () => {
      const { code, stdout, stderr } = await run("issue", "--name", "Web shop");
      expect(code).toBe(0);
      expect(stdout).toMatch(KEY);
      expect(stderr).toMatch(ID);
      expect(stderr).not.toContain("petstore_");
      const store = await openStore(env["DATABASE_URL"] ?? "");
      expect(await new Keys(store.keys).authenticateKey(stdout.trim())).toMatchObject({ name: "Web shop" });
      await store.close();
    });

    test("--expires-in-days counts from now", async () => {
      await issue("--expires-in-days", "30");
      const [key] = JSON.parse((await run("list", "--json")).stdout) as {
        createdAt: string;
        expiresAt: string;
      }[];
      const days = (Date.parse(key?.expiresAt ?? "") - Date.parse(key?.createdAt ?? "")) / 86_400_000;
      expect(days).toBeCloseTo(30, 3);
    });

    test("a name that is not printable exits 1", async () => {
      expect(await run("issue", "--name", "a\nb")).toMatchObject({ code: 1, stdout: "" });
    });
  });

  describe("list", () => {
    test("without keys prints nothing, or an empty array", async () => {
      expect(await run("list")).toMatchObject({ code: 0, stdout: "", stderr: "There are no keys yet.\n" });
      expect(await run("list", "--json")).toStrictEqual({ code: 0, stdout: "[]\n", stderr: "" });
    });

    test("prints a line for each key under a heading", async () => {
      const ids = [await issue(), await issue("--expires-in-days", "30")];
      const { code, stdout, stderr } = await run("list");
      const [heading, ...lines] = stdout.trimEnd().split("\n");
      expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
      expect(heading).toMatch(/^ID +STATE +CREATED +EXPIRES +LAST USED +REPLACED BY +NAME$/);
      expect(lines.map((line) => ID.exec(line)?.[0]).sort()).toStrictEqual(ids.sort());
      expect(lines.map((line) => line.match(/ never /g)?.length).sort()).toStrictEqual([1, 2]);
    });

    test("a key whose expiry is not a date has expired", async () => {
      const { stdout: key } = await run("issue", "--name", "Web shop", "--expires-in-days", "30");
      await engine.query(env["DATABASE_URL"] ?? "", "update api_keys set expires_at = 'never' returning id");
      const store = await engine.open(env["DATABASE_URL"] ?? "");
      expect(await new Keys(store.keys).authenticateKey(key.trim())).toBeUndefined();
      await store.close();
      expect((await run("list")).stdout).toMatch(/ expired +\S+Z +invalid +never /);
      expect(JSON.parse((await run("list", "--json")).stdout)).toMatchObject([
        { state: "expired", expiresAt: null },
      ]);
    });
  });

  describe("rotate and revoke", () => {
    test("rotate prints the new key alone", async () => {
      const id = await issue();
      const { code, stdout, stderr } = await run("rotate", id, "--overlap-hours", "0");
      expect(code).toBe(0);
      expect(stdout).toMatch(KEY);
      expect(stderr).not.toContain("petstore_");
      const states = JSON.parse((await run("list", "--json")).stdout) as { id: string; state: string }[];
      expect(states.find((key) => key.id === id)).toMatchObject({
        state: "expired",
        replacedBy: ID.exec(stderr)?.[0],
      });
    });

    test("revoke prints nothing on standard output", async () => {
      const id = await issue();
      expect(await run("revoke", id)).toMatchObject({ code: 0, stdout: "" });
      expect((await run("list")).stdout).toMatch(/ revoked /);
    });

    test.each(["rotate", "revoke"])("%s of an unknown ID exits 1", async (subcommand) => {
      expect(await run(subcommand, "k_0000000000")).toStrictEqual({
        code: 1,
        stdout: "",
        stderr: 'No key has the ID "k_0000000000".\n',
      });
    });
  });

  describe("history", () => {
    test("shows who did what, of all keys or of one", async () => {
      const id = await issue();
      const successor = ID.exec((await run("rotate", id)).stderr)?.[0] ?? "";
      await run("revoke", id);
      const actor = `${userInfo().username}@${hostname()}`;
      const events = JSON.parse((await run("history", "--json")).stdout) as object[];
      expect(events).toMatchObject([
        { keyId: id, event: "issue", actor },
        { keyId: successor, event: "issue", actor },
        { keyId: id, event: "rotate", actor, successor },
        { keyId: id, event: "revoke", actor },
      ]);
      const { code, stdout, stderr } = await run("history", id);
      expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
      const [heading, ...lines] = stdout.trimEnd().split("\n");
      expect(heading).toMatch(/^AT +EVENT +ID +BY +SUCCESSOR$/);
      expect(lines.map((line) => line.split(/ +/)[1])).toStrictEqual(["issue", "rotate", "revoke"]);
    });

    test("of an unknown key exits 1", async () => {
      expect(await run("history", "k_0000000000")).toMatchObject({ code: 1, stdout: "" });
    });
  });

  describe("usage", () => {
    test.each([
      ["--help"],
      ["-h"],
      ["issue", "--help"],
      ["list", "-h"],
      ["history", "--help"],
      ["rotate", "--help"],
      ["revoke", "--help"],
    ])("%s %s prints help with an example", async (...argv) => {
      const { code, stdout, stderr } = await run(...argv);
      expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: [^]*Example: .*npm run -s keys -- /);
    });

    test.each([
      [[], /missing subcommand: issue, list, history, rotate, revoke/],
      [["isue"], /unknown command 'isue' \(Did you mean issue\?\)/],
      [["constructor"], /unknown command/],
      [["issue", "--nmae", "x"], /required option '--name <name>' not specified/],
      [["history", "--jsn"], /unknown option '--jsn' \(Did you mean --json\?\)/],
      [["list", "-j"], /unknown option '-j'/],
      [["issue"], /required option '--name <name>' not specified/],
      [["issue", "--name"], /option '--name <name>' argument missing/],
      [["issue", "--name", "x", "y"], /too many arguments for 'issue'/],
      [
        ["issue", "--name", "x", "--expires-in-days", "0"],
        /'0' is invalid\. It must be an integer from 1 to 36500/,
      ],
      [["issue", "--name", "x", "--expires-in-days=1e3"], /must be an integer/],
      [["list", "--json=yes"], /unknown option '--json=yes'/],
      [["history", "k_1", "k_2"], /too many arguments for 'history'/],
      [["rotate"], /missing required argument 'id'/],
      [["rotate", "k_1", "--overlap-hours", "-1"], /must be an integer from 0 to 8760/],
      [["rotate", "k_1", "--overlap-hours=-1"], /must be an integer from 0 to 8760/],
      [["revoke", "k_1", "k_2"], /too many arguments for 'revoke'/],
    ])("%j exits 2 with a line that says what to do", async (argv, line) => {
      const { code, stdout, stderr } = await run(...argv);
      expect({ code, stdout }).toStrictEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(line);
      expect(stderr).toMatch(/^[^\n]+\n$/);
    });

    test("a key in place of an ID is not echoed", async () => {
      const { stdout } = await run("issue", "--name", "Web shop");
      for (const argv of [["revoke", stdout.trim()], [stdout.trim()]]) {
        const { code, stderr } = await run(...argv);
        expect(code).toBe(2);
        expect(stderr).not.toContain("petstore_");
      }
    });

    test.each([
      [{ PORT: "abc" }, /^PORT must be an integer/],
      [
        { DATABASE_URL: "postgres://user:secret@127.0.0.1:1/pets" },
        /^Cannot open postgres:\/\/127\.0\.0\.1:1\/pets: nothing listens there\.\n$/,
      ],
      [{ DATABASE_URL: `sqlite:${import.meta.dirname}` }, /^Cannot open /],
    ])("with %j exits 1", async (variables, line) => {
      Object.assign(env, variables);
      const { code, stdout, stderr } = await run("list");
      expect({ code, stdout }).toStrictEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(line);
    });
  });

  test("the program prints the key alone and exits 0", () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...["--disable-warning=ExperimentalWarning", "--conditions=tenon-source", "--import", "tsx"],
        ...["src/petstore/keys/main.ts", "issue", "--name", "Web shop"],
      ],
      { encoding: "utf8", env: { ...process.env, ...env } },
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(KEY);
    expect(stderr).toMatch(/^Issued key k_[0-9A-Za-z]{10}\. It is not shown again\.\n$/);
  });
});
