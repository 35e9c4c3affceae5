// @thorough: starts services with every setting.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { loadSqliteDriver } from "../../src/petstore/store/sqlite/driver.js";
import { createDirectory } from "../support/directory.js";
import { listen } from "../support/http.js";
import { endProcesses, startProcess, type PetStoreProcess } from "../support/petstore-process.js";

afterEach(endProcesses);

const KEY = /petstore_\w+/;

describe("the first start", () => {
  test("in development makes a key and shows it once, in a command that works", async () => {
    const env = { DATABASE_URL: `sqlite:${join(createDirectory(), "data", "pets.db")}` };
    const first = startProcess({ env });
    const url = await first.listening();
    await first.says(/^ {2}curl /);

    const command = /^ {2}curl -H "(?<name>[^:]+): (?<value>[^"]+)" (?<address>\S+)$/m;
    const { name = "", value = "", address = "" } = command.exec(first.err.join("\n"))?.groups ?? {};
    const answer = await fetch(address, { headers: { [name]: value } });
    expect([answer.status, await answer.json()]).toStrictEqual([200, []]);
    expect(address).toBe(`${url}/v1/pets`);

    const key = KEY.exec(value)?.[0] ?? "";
    expect(first.out.join("\n")).not.toContain(key);
    first.kill("SIGTERM");
    expect(await first.ended()).toStrictEqual({ code: 0, signal: null });

    const second = startProcess({ env });
    const again = await second.listening();
    expect((await fetch(`${again}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(
      200,
    );
    second.kill("SIGTERM");
    await second.ended();
    expect([...second.out, ...second.err].join("\n")).not.toMatch(KEY);
  });

  test("in production makes and shows none", async () => {
    const env = { NODE_ENV: "production", HOST: "127.0.0.1", DRAIN_DELAY_MS: "0" };
    const service = startProcess({ env });
    await service.listening();
    service.kill("SIGTERM");
    expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
    expect(service.err).toStrictEqual([]);
    expect(service.out.join("\n")).not.toMatch(KEY);
  });
});

/** A copy of the service that can be broken; only what starts it is in it. */
function copyService(breakContract: (text: string) => string): string {
  const root = createDirectory();
  for (const name of ["package.json", "tsconfig.json", "src/petstore", "generated"]) {
    cpSync(name, join(root, name), { recursive: true });
  }
  symlinkSync(join(process.cwd(), "node_modules"), join(root, "node_modules"));
  const contract = join(root, "generated/v1/contract.json");
  writeFileSync(contract, breakContract(readFileSync(contract, "utf8")));
  return root;
}

const FROM_SOURCE = [
  process.execPath,
  ...["--disable-warning=ExperimentalWarning", "--conditions=tenon-source", "--import", "tsx"],
  "src/petstore/main.ts",
] as const;

interface Failing {
  readonly env?: Readonly<Record<string, string>>;
  readonly root?: string;
}

const edited = (edit: (contract: { paths: Record<string, unknown> }) => void) => (text: string) => {
  const contract = JSON.parse(text) as { paths: Record<string, unknown> };
  edit(contract);
  return JSON.stringify(contract, null, 2);
};

describe("a start that fails says why in one line a problem, without a stack, and exits 1:", () => {
  const cases: readonly (readonly [string, () => Failing, readonly RegExp[]])[] = [
    [
      "a wrong port",
      () => ({ env: { PORT: "http" } }),
      [/^PORT must be an integer from 0 to 65535, but is "http"$/],
    ],
    [
      "several wrong values, of which the secret one is not shown",
      () => ({ env: { LOG_LEVEL: "loud", DATABASE_URL: "mysql://u:hunter2@h/d", BODY_LIMIT_BYTES: "-1" } }),
      [/^DATABASE_URL must be (?!.*hunter2)/, /^LOG_LEVEL must be .*"loud"$/, /^BODY_LIMIT_BYTES must be /],
    ],
    [
      "a folder as database",
      () => ({ env: { DATABASE_URL: `sqlite:${createDirectory()}` } }),
      [/^Cannot open /],
    ],
    [
      "a device as database",
      () => ({ env: { DATABASE_URL: "sqlite:/dev/zero" } }),
      [/^Cannot open \/dev\/zero: it is not a regular file\.$/],
    ],
    ...(process.platform === "linux"
      ? [
          [
            "a database in a folder that cannot be created",
            () => ({ env: { DATABASE_URL: "sqlite:/proc/x/y/pets.db" } }),
            [/^Cannot open \/proc\/x\/y\/pets\.db: ENOENT\b.*mkdir '\/proc\/x'\.$/],
          ] as const,
        ]
      : []),
    [
      "a pipe with the URL of the database",
      () => {
        const file = join(createDirectory(), "pipe");
        execFileSync("mkfifo", [file]);
        return { env: { DATABASE_URL_FILE: file, DATABASE_URL: "" } };
      },
      [/^DATABASE_URL_FILE must be .*pipe" is not a regular file$/],
    ],
    [
      "a device with the URL of the database",
      () => ({ env: { DATABASE_URL_FILE: "/dev/zero", DATABASE_URL: "" } }),
      [/^DATABASE_URL_FILE must be .*"\/dev\/zero" is not a regular file$/],
    ],
    [
      "a file that is no database",
      () => {
        const file = join(createDirectory(), "pets.db");
        writeFileSync(file, "not a database at all, ".repeat(100));
        return { env: { DATABASE_URL: `sqlite:${file}` } };
      },
      [/^Cannot open .*pets\.db: it is not a SQLite database\.$/],
    ],
    [
      "another program's database",
      () => {
        const file = join(createDirectory(), "other.db");
        const database = new (loadSqliteDriver().DatabaseSync)(file);
        database.exec("create table theirs (id integer)");
        database.close();
        return { env: { DATABASE_URL: `sqlite:${file}` } };
      },
      [/^Cannot open .*other\.db: it is the database of another program\.$/],
    ],
    [
      "a PostgreSQL server that is not there",
      () => ({ env: { DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/d" } }),
      [/^Cannot open postgres:\/\/127\.0\.0\.1:1\/d: nothing listens there\.$/],
    ],
    [
      "a PostgreSQL server without an address",
      () => ({ env: { DATABASE_URL: "postgres://u:hunter2@no-such-host.invalid/d" } }),
      [/^Cannot open postgres:\/\/no-such-host\.invalid:5432\/d: the host name cannot be resolved( now)?\.$/],
    ],
    [
      "an address of another machine",
      () => ({ env: { HOST: "192.0.2.1", PORT: "3999" } }),
      [/EADDRNOTAVAIL.*set HOST and PORT$/],
    ],
    [
      "a contract that is no JSON",
      () => ({ root: copyService(() => '{\n "openapi": nothing\n}') }),
      [/contract\.json/],
    ],
    [
      "a contract that is cut short",
      () => ({ root: copyService((text) => text.slice(0, 5000)) }),
      [/contract\.json/],
    ],
    [
      "a contract that is not valid",
      () => ({ root: copyService(edited((contract) => Object.assign(contract, { paths: [] }))) }),
      [/is not an OpenAPI 3\.0, 3\.1 or 3\.2 document/],
    ],
    [
      "a contract that lacks an operation",
      () => ({ root: copyService(edited(({ paths }) => delete paths["/store/orders"])) }),
      [/no operation listOrders: GET \/store\/orders/],
    ],
    [
      "a contract with a schema that does not compile",
      () => ({
        root: copyService((text) => text.replace('"enum": [', '"pattern": "[", "enum": [')),
      }),
      [/contract/],
    ],
  ];
  // Side by side: most of their time is spent starting.
  const started = new Map<string, PetStoreProcess>();
  beforeAll(async () => {
    for (const [name, given] of cases) {
      const { env, root } = given();
      const options = { ...(env && { env }), ...(root !== undefined && { root, command: FROM_SOURCE }) };
      started.set(name, startProcess(options));
    }
    await Promise.all([...started.values()].map((service) => service.ended()));
  });

  test.each(cases)("%s", async (name, _, lines) => {
    const service = started.get(name);
    if (service === undefined) throw new Error("It was not started");
    expect(await service.ended()).toStrictEqual({ code: 1, signal: null });
    expect(service.err).toHaveLength(lines.length);
    lines.forEach((line, index) => {
      expect(service.err[index]).toMatch(line);
    });
    expect(service.out).toStrictEqual([]);
  });

  test("a port that is in use", async () => {
    const other = createServer();
    const port = await listen(other as never);
    const service = startProcess({ env: { PORT: String(port) } });
    expect(await service.ended()).toStrictEqual({ code: 1, signal: null });
    expect(service.err).toEqual([
      expect.stringMatching(/EADDRINUSE.*set PORT to a free port, or to 0 for any$/),
    ]);
    expect(service.out).toStrictEqual([]);
    await new Promise((resolve) => other.close(resolve));
  });
});
