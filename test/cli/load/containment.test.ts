// @slow: runs every command that reads a contract.
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Outcome, runIn } from "../commands/run.js";
import { createProject, REDOCLY, toContract } from "./project.js";

const SECRET = "hunter2";
const OUTSIDE = `type: string\nenum: [${SECRET}]\n`;

const toReferring = (reference: string) =>
  toContract(`paths: {}\ncomponents:\n  schemas:\n    A: { $ref: ${JSON.stringify(reference)} }\n`);

const COMMANDS = ["lint", "generate", "docs", "mock --port 0", "diff openapi.yaml --api v1"];

async function runAll(folder: string): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const command of COMMANDS) outcomes.push(await runIn(folder, ...command.split(" ")));
  return outcomes;
}

/** Counts what a host on this machine is asked for. */
const asked: string[] = [];
let host = "";

const respond: RequestListener = ({ url = "" }, response) => {
  asked.push(url);
  const port = host.split(":")[1] ?? "";
  const redirects: Readonly<Record<string, string>> = {
    "/away": `http://localhost:${port}/pet.yaml`,
    "/allowed": `http://localhost:${port}/pet.yaml`,
    "/hop": `http://localhost:${port}/inside`,
    "/inside": `http://127.0.0.2:${port}/pet.yaml`,
    "/file": "file:///etc/passwd",
  };
  const { [url]: location } = redirects;
  if (location !== undefined) response.writeHead(302, { Location: location }).end();
  else response.writeHead(200, { "Content-Type": "application/yaml" }).end(OUTSIDE);
};
const server = createServer(respond);

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describe("a reference out of the project folder is an error in every command, and shows nothing of the file", () => {
  const outside = createProject({ "secret.yaml": OUTSIDE });
  const cases: Readonly<Record<string, (folder: string) => string>> = {
    "a relative path": () => `../${basename(outside)}/secret.yaml`,
    "an absolute path": () => `${outside}/secret.yaml`,
    "a symbolic link to a file": (folder) => {
      symlinkSync(`${outside}/secret.yaml`, join(folder, "link.yaml"));
      return "link.yaml";
    },
    "a symbolic link to a folder": (folder) => {
      symlinkSync(outside, join(folder, "link"));
      return "link/secret.yaml";
    },
    "a path that does not exist": () => `../${basename(outside)}/secrets.yaml`,
    "a file URL": () => `file://${outside}/secret.yaml`,
  };
  test.each(Object.keys(cases))("%s", async (name) => {
    const folder = createProject({});
    const reference = cases[name]?.(folder) ?? "";
    writeFileSync(join(folder, "openapi.yaml"), toReferring(reference));
    for (const { exitCode, stdout, stderr } of await runAll(folder)) {
      expect(stdout + stderr).toContain(`openapi.yaml:8:8  reference-forbidden  error: Cannot resolve $ref`);
      expect(stdout + stderr).not.toContain(SECRET);
      // The name of a similar file in the folder would be a hint.
      expect(stdout + stderr).not.toContain("Did you mean");
      expect(exitCode).toBe(1);
    }
  });

  test("a discriminator's mapping", async () => {
    const mapping = `{ a: ${JSON.stringify(`${outside}/secret.yaml`)} }`;
    const folder = createProject({
      "openapi.yaml": toContract(
        `paths: {}\ncomponents:\n  schemas:\n    A: { type: object, discriminator: { propertyName: x, mapping: ${mapping} } }\n`,
      ),
    });
    const { exitCode, stdout, stderr } = await runIn(folder, "generate");
    expect(stdout + stderr).toContain("reference-forbidden");
    expect(exitCode).toBe(1);
  });

  test("a file in the project that refers to it", async () => {
    const folder = createProject({
      "openapi.yaml": toReferring("schemas/a.yaml"),
      "schemas/a.yaml": `type: object\nproperties:\n  a: { $ref: ${outside}/secret.yaml }\n`,
    });
    const { stdout } = await runIn(folder, "lint");
    expect(stdout).toContain("schemas/a.yaml:3:6  reference-forbidden");
  });

  test("a revision of git", async () => {
    const folder = createProject({ "openapi.yaml": toReferring(`${outside}/secret.yaml`) });
    const git = (...argv: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...argv], { cwd: folder });
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    writeFileSync(join(folder, "openapi.yaml"), toContract("paths: {}\n"));
    const { exitCode, stdout, stderr } = await runIn(folder, "diff", "HEAD");
    expect(stdout + stderr).toContain("reference-forbidden");
    expect(stdout + stderr).not.toContain(SECRET);
    expect(exitCode).toBe(1);
    git("tag", "v1.0.0");
    git("commit", "-q", "-a", "-m", "two");
    const changelog = await runIn(folder, "changelog");
    expect(changelog.stdout + changelog.stderr).toContain("outside the project folder");
    expect(changelog.stdout + changelog.stderr).not.toContain(SECRET);
  });

  test("a contract without redocly.yaml, whose project is its own folder", async () => {
    const folder = createProject({ "v1/openapi.yaml": toReferring("../a.yaml"), "a.yaml": OUTSIDE });
    execFileSync("rm", [join(folder, "redocly.yaml")]);
    const { stdout, stderr } = await runIn(folder, "diff", "v1/openapi.yaml", "v1/openapi.yaml");
    expect(stdout + stderr).toContain("reference-forbidden");
  });
});

test("a reference to another folder of the project is read", async () => {
  const folder = createProject({
    "redocly.yaml": REDOCLY.replace("root: ", "root: api/"),
    "api/openapi.yaml": toReferring("../shared/a.yaml"),
    "shared/a.yaml": OUTSIDE,
  });
  expect(await runIn(folder, "generate")).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(folder, "generated/contract.json"), "utf8")).toContain(SECRET);
});

describe("references to other hosts", () => {
  const toProject = (path: string, hosts: readonly string[]) =>
    createProject({
      "redocly.yaml": REDOCLY.replace("generated }", `generated, referenceHosts: ${JSON.stringify(hosts)} }`),
      "openapi.yaml": toReferring(`http://${host}/${path}`),
    });

  test("are an error by default, and nothing is requested", async () => {
    asked.length = 0;
    for (const { exitCode, stdout, stderr } of await runAll(toProject("pet.yaml", ["elsewhere.example"]))) {
      expect(stdout + stderr).toContain(`openapi.yaml:8:8  reference-forbidden`);
      expect(exitCode).toBe(1);
    }
    expect(asked).toEqual([]);
  });

  test("are followed for a host of x-tenon.referenceHosts", async () => {
    asked.length = 0;
    expect(await runIn(toProject("pet.yaml", [host]), "generate")).toMatchObject({ exitCode: 0 });
    expect(asked).toContain("/pet.yaml");
  });

  test("do not follow a redirect to another host", async () => {
    asked.length = 0;
    const { exitCode, stdout, stderr } = await runIn(toProject("away", [host]), "generate");
    expect(stdout + stderr).toContain("reference-forbidden");
    expect(exitCode).toBe(1);
    expect(asked).toEqual(["/away"]);
  });

  test.each([
    ["an allowed host", "allowed", 0, ["/allowed", "/pet.yaml"]],
    ["an allowed host that redirects to another one", "hop", 1, ["/hop", "/inside"]],
    ["a file", "file", 1, ["/file"]],
  ])("a redirect to %s is checked on its own", async (_, path, code, requests) => {
    asked.length = 0;
    const hosts = [host, `localhost:${host.split(":")[1] ?? ""}`];
    const { exitCode, stdout, stderr } = await runIn(toProject(path, hosts), "generate");
    expect(exitCode).toBe(code);
    expect((stdout + stderr).includes("reference-forbidden")).toBe(code === 1);
    expect(asked).toEqual(requests);
  });
});

test("the value of an external example is not fetched, and the example keeps its URL", async () => {
  asked.length = 0;
  const example = `http://${host}/example.json`;
  const folder = createProject({
    "openapi.yaml": toContract(
      `paths: {}\ncomponents:\n  examples:\n    A: { externalValue: ${JSON.stringify(example)} }\n`,
    ),
  });
  expect(await runIn(folder, "generate")).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(readFileSync(join(folder, "generated/contract.json"), "utf8"))).toMatchObject({
    components: { examples: { A: { externalValue: example } } },
  });
  expect(asked).toEqual([]);
});
