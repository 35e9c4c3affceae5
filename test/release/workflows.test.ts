import { readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";

const ROOT = new URL("../../", import.meta.url);
const FOLDER = new URL(".github/workflows/", ROOT);

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly strategy?: { readonly matrix: object };
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[];
}

const workflows = readdirSync(FOLDER).map((name) => {
  return [name, parse(readFileSync(new URL(name, FOLDER), "utf8")) as Workflow] as const;
});

describe("workflows", () => {
  test.each(workflows)("%s is given no more than it needs, and ends", (_, { permissions, jobs }) => {
    expect(permissions).toBeDefined();
    for (const job of Object.values(jobs)) {
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
      const checkout = job.steps.find(({ uses }) => uses?.startsWith("actions/checkout@") === true);
      expect(checkout?.with).toMatchObject({ "persist-credentials": false });
    }
  });

  test.each(workflows)("%s runs what every change has to pass", (_, { jobs }) => {
    const commands = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run }) => run));
    expect(commands).toContain(".ci/run");
    // Anyone may execute it.
    expect(statSync(new URL(".ci/run", ROOT)).mode & 0o111).toBe(0o111);
  });

  test("a new service is tried on every platform and version of Node.js", () => {
    const [, ci] = workflows.find(([name]) => name === "ci.yml") ?? [];
    const { strategy, steps } = ci?.jobs["template"] ?? { steps: [] };
    expect(strategy?.matrix).toEqual({
      os: ["ubuntu-latest", "windows-latest", "macos-latest"],
      node: [20, 22, 24],
    });
    expect(steps.map(({ run }) => run)).toContain("npm run try-template");
  });

  test("only what publishes may sign, after the checks", () => {
    const signing = workflows.filter(([, { jobs }]) => {
      return Object.values(jobs).some(({ permissions = {} }) => permissions["id-token"] === "write");
    });
    expect(signing.map(([name]) => name)).toEqual(["release.yml"]);
    const commands = signing.flatMap(([, { jobs }]) =>
      Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? [])),
    );
    const publish = commands.findIndex((command) => command.startsWith("npm publish"));
    expect(publish).toBeGreaterThan(0);
    expect(commands.indexOf(".ci/run")).toBeLessThan(publish);
  });
});
