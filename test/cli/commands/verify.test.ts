// @thorough: runs the command against services.
import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { VerifyResult } from "../../../src/cli/verify/index.js";
import { close, listen } from "../../support/http.js";
import type { Fault } from "../verify/faults.js";
import { createThings, KEY, PIN } from "../verify/server.js";
import { runIn, type Outcome } from "./run.js";

const FOLDER = fileURLToPath(new URL("../verify/", import.meta.url));
const CREDENTIALS = ["--auth", `key=${KEY}`, "--auth", `pin=${PIN}`];

const servers: Server[] = [];

async function start(server: Server): Promise<string> {
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}`;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map(close));
});

const run = (url: string, ...options: string[]): Promise<Outcome> =>
  runIn(FOLDER, "verify", url, "--api", "things.yaml", "--seed", "1", "--runs", "3", ...options);

async function verify(
  fault: Fault | undefined,
  ...options: string[]
): Promise<Outcome & { json: VerifyResult }> {
  const outcome = await run(await start(createThings(fault)), ...CREDENTIALS, "--json", ...options);
  return { ...outcome, json: JSON.parse(outcome.stdout) as VerifyResult };
}

describe("the report", () => {
  test("a service without a mismatch is exit code 0, with the tested operations", async () => {
    const url = await start(createThings());
    const { exitCode, stdout, stderr } = await run(url, ...CREDENTIALS);
    expect(stdout).toMatch(/^Things 1\.0\.0 at http:\/\/127\.0\.0\.1:\d+\/api\n/);
    expect(stdout).toMatch(/^ {2}readThing {5}200 × \d+ {2}400 × \d+/m);
    expect(stdout).toMatch(/No mismatches found with \d+ requests in [\d.]+ s\.\n/);
    expect(stdout).toContain(
      `tenon verify ${url} --api things.yaml --auth key=… --auth pin=… --runs 3 --seed 1\n`,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  test("the command that repeats a run has every option that affects it, without credentials", async () => {
    const url = await start(createThings());
    const limits = ["--max-requests", "20", "--max-time", "60", "--rate", "1000", "--timeout", "5"];
    const own = ["--header", "X-Tenant: secret", "--operation", "listThings", "--skip", "readThing"];
    const { stdout } = await run(url, ...CREDENTIALS, ...limits, ...own);
    expect(stdout).toContain(
      `tenon verify ${url} --api things.yaml --auth key=… --auth pin=… --header "X-Tenant: …" --operation listThings --skip readThing --runs 3 --max-requests 20 --max-time 60 --rate 1000 --timeout 5 --seed 1\n`,
    );
  });

  test("a mismatch is exit code 1, and reported once for each operation, with the smallest request", async () => {
    const { exitCode, json } = await verify("fails for null");
    expect(exitCode).toBe(1);
    const told = json.failures.map(({ check, label, curl }) => ({ check, label, body: toBody(curl) }));
    const body = { name: "a", count: 0, note: null };
    expect(told).toEqual([
      { check: "server-error", label: "POST /things", body },
      { check: "server-error", label: "PUT /things/{thingId}", body },
    ]);
  });

  test("each constraint that is not enforced is reported by its name", async () => {
    const { json } = await verify("takes names of any length", "--operation", "createThing");
    expect(json.failures.map(({ message }) => message)).toEqual([
      "An invalid request is accepted with 201: it violates maxLength at body/name",
    ]);
  });

  test("a cause is reported once, with its places and the number of responses", async () => {
    const { json } = await verify("takes names of any length");
    expect(json.failures.map(({ check, operations, places }) => ({ check, operations, places }))).toEqual([
      {
        check: "refused",
        operations: ["createThing", "replaceThing"],
        places: ["createThing body/name", "replaceThing body/name"],
      },
    ]);
    expect(json.failures[0]?.count).toBeGreaterThan(1);
    const url = await start(createThings("takes names of any length"));
    const { stdout } = await run(url, ...CREDENTIALS);
    expect(stdout).toMatch(
      /^refused {2}POST \/things \(createThing, and replaceThing\), boundaries, \d+ responses$/m,
    );
    expect(stdout).toMatch(/^ {2}also: replaceThing body\/name$/m);
  });

  test("one operation is tested alone, with the resources that another has to create for it", async () => {
    const { json } = await verify("keeps another count", "--operation", "replaceThing");
    expect(json.operations.map(({ id, statuses }) => [id, (statuses["200"] ?? 0) > 0])).toEqual([
      ["replaceThing", true],
    ]);
    expect(json.notes).toEqual([]);
  });

  test("skipped operations are never called, not even for what others need", async () => {
    const called = new Set<string>();
    const things = createThings().on("request", ({ method = "", url = "" }) => {
      if (/^\/api\/things(?:\?|$)/.test(url)) called.add(method);
    });
    const skip = ["--skip", "createThing", "openVault"];
    const { exitCode, stdout } = await run(await start(things), ...CREDENTIALS, ...skip);
    expect(exitCode).toBe(0);
    expect(called).toContain("GET");
    expect(called).not.toContain("POST");
    expect(stdout).not.toMatch(/^ {2}(?:createThing|openVault) /m);
    expect(stdout).toContain("note: Skipped: createThing, openVault.\n");
    expect(stdout).toContain(" --skip createThing openVault --runs 3 --seed 1\n");
  });

  test("a mismatch that all errors have is one of all operations", async () => {
    const { json } = await verify("shows its folders");
    expect(json.failures.map(({ check, operations }) => [check, [...operations].sort()])).toEqual([
      [
        "leak",
        ["createThing", "deleteThing", "listThings", "oldThings", "openVault", "readThing", "replaceThing"],
      ],
    ]);
  });

  test("the same seed does the same", async () => {
    const [first, second] = [await verify("takes any size"), await verify("takes any size")];
    const strip = ({ json: { failures, operations } }: typeof first) =>
      JSON.stringify({ failures, operations }).replaceAll(/127\.0\.0\.1:\d+/g, "host");
    expect(strip(second)).toBe(strip(first));
  });

  test("a shell sends a line of the report as it was sent", async () => {
    const { json } = await verify("refuses names beyond ASCII", "--operation", "createThing");
    const [line = ""] = json.failures[0]?.curl ?? [];
    const script = `curl() { printf '%s\\n' "$@"; }\n${line}`;
    const shown = execFileSync("sh", ["-c", script], { env: { TENON_AUTH_KEY: KEY }, encoding: "utf8" });
    expect(shown.split("\n")).toEqual(
      expect.arrayContaining([`Authorization: Bearer ${KEY}`, "Content-Type: application/json"]),
    );
    const body = JSON.parse(shown.split("--data-raw\n")[1]?.split("\n")[0] ?? "") as { name: string };
    expect(body.name).toMatch(/[^ -~]/);
  });
});

describe("operations that never succeed", () => {
  test("are exit code 1 with --fail-on-unreached, each on a line of its own", async () => {
    const url = await start(createThings("opens the vault to any pin"));
    const wrong = ["--auth", "key=somebody-elses", "--operation", "listThings", "--operation", "oldThings"];
    const plain = await run(url, ...wrong);
    const strict = await run(url, ...wrong, "--fail-on-unreached");
    const note = "note: listThings (GET /things) never succeeded; its responses were 401.\n";
    expect(plain).toMatchObject({ exitCode: 0, stderr: "" });
    expect(strict).toMatchObject({ exitCode: 1, stderr: "listThings never succeeded.\n" });
    for (const { stdout } of [plain, strict]) expect(stdout).toContain(note);
    expect(strict.stdout).toContain(" --fail-on-unreached --runs 3 --seed 1\n");
  });

  test("include those that are not called, for lack of credentials or time", async () => {
    const { json, exitCode } = await verify(undefined, "--fail-on-unreached", "--max-time", "0");
    expect(exitCode).toBe(1);
    expect(json.unreached).toEqual(json.operations.map(({ id }) => id));
    const open = await run(await start(createThings()), "--fail-on-unreached", "--operation", "openVault");
    expect(open).toMatchObject({ exitCode: 1, stderr: "openVault never succeeded.\n" });
  });

  test("are none of a service that conforms to its contract", async () => {
    expect((await verify(undefined, "--fail-on-unreached")).exitCode).toBe(0);
  });
});

describe("the check of pages", () => {
  test("reports the pages that it has read", async () => {
    const { stdout } = await run(await start(createThings()), ...CREDENTIALS);
    expect(stdout).toMatch(/^pages: listThings was checked \(\d+ pages\)\.$/m);
  });

  test("reports why it has not read them", async () => {
    const url = await start(createThings());
    const list = await run(url, ...CREDENTIALS, "--operation", "listThings");
    expect(list.stdout).toContain("pages: listThings was not checked: createThing was not tested.\n");
    const read = await run(url, ...CREDENTIALS, "--operation", "readThing");
    expect(read.stdout).toContain(
      "pages: not checked, because no tested operation lists what another creates.\n",
    );
    const faulty = await start(createThings("has one thing on two pages"));
    const { stdout } = await run(faulty, ...CREDENTIALS);
    expect(stdout).toContain("pages: listThings was not checked: it has a mismatch.\n");
  });
});

describe("formats", () => {
  test("JUnit has a suite for each operation, and a case for each check", async () => {
    const url = await start(createThings("takes empty names"));
    const { stdout } = await run(url, ...CREDENTIALS, "--format", "junit", "--operation", "createThing");
    expect(stdout).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/);
    expect(stdout).toContain('<testsuite name="POST /things" tests="22" failures="1">');
    expect(stdout.match(/<testcase /g)).toHaveLength(22);
    expect(stdout).toContain('<failure type="refused" message="An invalid request is accepted');
    expect(stdout).toContain("{&quot;count&quot;:");
  });

  test("HTML is one page without anything from elsewhere", async () => {
    const url = await start(createThings("shows its stack"));
    const { stdout } = await run(url, ...CREDENTIALS, "--format", "html", "--operation", "readThing");
    expect(stdout).toMatch(/<title>1 mismatch: Things<\/title>/);
    expect(stdout.replace('<link rel="icon" href="data:,">', "")).not.toMatch(/<script|<link|src=|href=/);
  });
});

describe("credentials", () => {
  test.each(["text", "json", "junit", "html"])("are in no report of the format %s", async (format) => {
    // Repeats in errors what it was sent.
    const url = await start(
      createServer(({ headers }, response) => {
        response.writeHead(500, { "content-type": "application/json" });
        response.end(JSON.stringify({ code: "wrong", message: JSON.stringify(headers) }));
      }),
    );
    const { stdout, stderr } = await run(
      url,
      ...CREDENTIALS,
      "--header",
      "X-Tenant: seven-and-a-half",
      "--format",
      format,
    );
    expect(stdout).toContain("$TENON_AUTH_KEY");
    for (const secret of [KEY, PIN, "seven-and-a-half"]) expect(stdout + stderr).not.toContain(secret);
  });

  test("without them, the refusal is tested, and what was not tested is reported", async () => {
    const { exitCode, stdout } = await run(await start(createThings()));
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      "note: openVault (GET /vault) was only tested without credentials. To test it, give --auth key=… or TENON_AUTH_KEY and --auth pin=… or TENON_AUTH_PIN.\n",
    );
    const open = await run(await start(createThings("lists to anybody")));
    expect(open.stdout).toContain("The response is 200 without credentials");
  });

  test("that the service does not accept are reported", async () => {
    const { stdout } = await run(await start(createThings()), "--auth", "key=somebody-elses");
    expect(stdout).toContain("note: createThing (POST /things) never succeeded; its responses were 401.\n");
  });

  test("come from the environment too", async () => {
    process.env["TENON_AUTH_KEY"] = KEY;
    try {
      const { stdout } = await run(
        await start(createThings()),
        "--operation",
        "readThing",
        "--operation",
        "createThing",
      );
      expect(stdout).toMatch(/createThing {2}201 × \d+/);
      expect(stdout).not.toContain("note:");
    } finally {
      delete process.env["TENON_AUTH_KEY"];
    }
  });
});

describe("limits", () => {
  test("of requests are enforced, and what was left out is reported", async () => {
    const { exitCode, json } = await verify(undefined, "--max-requests", "30");
    expect({ exitCode, requests: json.requests }).toEqual({ exitCode: 0, requests: 30 });
    expect(json.notes).toContainEqual(
      expect.stringMatching(/^Stopped at the phase "boundaries" of createThing: 30 requests/),
    );
  });

  test("of time are enforced", async () => {
    const { json } = await verify(undefined, "--max-time", "0");
    expect({ requests: json.requests, notes: json.notes }).toEqual({
      requests: 0,
      notes: ['Stopped at the phase "examples" of createThing: 0 s have passed.'],
    });
  });

  test("of the rate are enforced", async () => {
    const { json } = await verify(undefined, "--max-requests", "11", "--rate", "50");
    expect(json.time).toBeGreaterThanOrEqual(190);
  });

  test("a response that never arrives is reported", async () => {
    const url = await start(createServer(() => undefined));
    const { exitCode, stdout } = await run(
      url,
      ...CREDENTIALS,
      "--operation",
      "oldThings",
      "--timeout",
      "0.05",
      "--max-requests",
      "3",
    );
    expect(stdout).toContain("There is no response: no response within 0.05 s");
    expect(exitCode).toBe(1);
  });
});

describe("bad usage is exit code 2", () => {
  test.each([
    ["localhost:1", [], '"localhost:1" is not the URL of a service'],
    ["http://127.0.0.1:1", [], "Cannot reach http://127.0.0.1:1"],
    ["http://a@127.0.0.1:1", [], "must not contain a user"],
    ["http://127.0.0.1:1", ["--operation", "getThing"], 'no operation "getThing"'],
    ["http://127.0.0.1:1", ["--skip", "getThing"], 'no operation "getThing"'],
    [
      "http://127.0.0.1:1",
      ["--auth", "other=1"],
      'Unknown security scheme "other". The contract declares key, pin',
    ],
    ["http://127.0.0.1:1", ["--auth", "key"], "--auth must be a security scheme and a credential"],
    ["http://127.0.0.1:1", ["--header", "X-Tenant"], "--header must be a name and a value"],
    ["http://127.0.0.1:1", ["--rate", "0"], "It must be more than 0."],
  ])("%s %j", async (url, options, message) => {
    const { exitCode, stderr } = await run(url, ...options);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test("without a contract", async () => {
    const { exitCode, stderr } = await runIn(FOLDER, "verify", "http://127.0.0.1:1");
    expect(stderr).toContain("Name a contract, for example --api openapi.yaml");
    expect(exitCode).toBe(2);
  });
});

function toBody(curl: readonly string[]): unknown {
  return JSON.parse(/--data-raw '(.*?)' /.exec(curl[0] ?? "")?.[1] ?? "null");
}
