// @thorough: runs the recipes of several test runners.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { close, listen } from "../support/http.js";
import { createProject, toContract } from "./load/project.js";
import { toPackedCommand } from "./commands/packed.js";
import { createRepository, type Repository } from "./commands/repository.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string) => readFileSync(join(ROOT, "src/cli/recipes", name), "utf8");

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly shell?: string;
}

const workflow = parse(read("contract.yaml")) as {
  readonly jobs: { readonly contract: { readonly name: string; readonly steps: readonly Step[] } };
};
const { steps } = workflow.jobs.contract;

const findStep = (name: string): Step => steps.find((step) => step.name === name) ?? {};

interface Comment {
  readonly id: number;
  readonly user: { readonly type: string };
  body: string;
}

/** The part of GitHub's API that has a pull request's comments, and refuses one that is too long. */
class Comments {
  readonly list: Comment[] = [];
  readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const [status, answer] = this.#answer(request.method ?? "", request.url ?? "", text);
      const isAllowed = request.headers.authorization === "Bearer secret";
      response.writeHead(isAllowed ? status : 401, { "Content-Type": "application/json" });
      response.end(JSON.stringify(isAllowed ? answer : {}));
    });
  });

  #answer(method: string, path: string, text: string): readonly [number, unknown] {
    const url = new URL(path, "http://host");
    const { body = "" } = text === "" ? {} : (JSON.parse(text) as { body?: string });
    if (body.length > 65_536) return [422, { message: "Body is too long" }];
    if (url.pathname === "/repos/a/b/issues/7/comments") {
      if (method === "POST") return [201, this.add("Bot", body)];
      const page = Number(url.searchParams.get("page"));
      return [200, this.list.slice((page - 1) * 100, page * 100)];
    }
    const found = this.list.find(({ id }) => url.pathname === `/repos/a/b/issues/comments/${id}`);
    if (method !== "PATCH" || found === undefined) return [404, {}];
    found.body = body;
    return [200, found];
  }

  add(type: string, body: string): Comment {
    const comment = { id: 1000 + this.list.length, user: { type }, body };
    this.list.push(comment);
    return comment;
  }
}

const LIST = (path: string) =>
  `paths:\n  ${path}:\n    get: { responses: { "200": { description: Done. } } }\n`;

describe("the workflow for pull requests", () => {
  const comments = new Comments();
  let repository: Repository;
  let temporary = "";
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    repository = createRepository({
      "openapi.yaml": toContract(LIST("/pets")),
      ".gitignore": "node_modules\n",
    });
    const { folder, commit, git } = repository;
    commit({});
    git("checkout", "-q", "-b", "feature");
    commit({ "openapi.yaml": toContract(LIST("/animals")) });
    // As GitHub merges it to check it.
    git("checkout", "-q", "main");
    commit({ "README.md": "Meanwhile.\n" });
    git("merge", "-q", "--no-ff", "-m", "merge", "feature");
    installCommand(folder);
    temporary = createProject({});
    environment = {
      ...process.env,
      NODE_OPTIONS: "",
      RUNNER_TEMP: temporary,
      GITHUB_STEP_SUMMARY: join(temporary, "summary.md"),
      GITHUB_API_URL: `http://127.0.0.1:${await listen(comments.server)}`,
      GITHUB_REPOSITORY: "a/b",
      GITHUB_TOKEN: "secret",
      PULL_REQUEST: "7",
    };
  });

  afterAll(() => close(comments.server));

  /** Runs a step as GitHub does: from a file, by the shell that it names. */
  async function run(
    { run: script = "exit 99", shell = "bash -e {0}" }: Step,
    extra: NodeJS.ProcessEnv = {},
  ) {
    const file = join(temporary, "step");
    writeFileSync(file, script);
    const [command = "", ...argv] = shell.split(" ").map((part) => (part === "{0}" ? file : part));
    return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
      const options = { cwd: repository.folder, env: { ...environment, ...extra } };
      execFile(command, argv, options, (error, stdout, stderr) => {
        done({ code: error === null ? 0 : error.code, stdout, stderr });
      });
    });
  }

  test("compares what would be merged with what it is merged into, and adds it to the summary", async () => {
    expect(await run(findStep("Compare"))).toMatchObject({ code: 0 });
    const markdown = readFileSync(join(temporary, "contract.md"), "utf8");
    expect(markdown).toMatch(/^## API changes: 1 breaking and 1 safe change\n/);
    expect(readFileSync(join(temporary, "summary.md"), "utf8")).toBe(markdown);
  });

  test("comments once, and then writes that comment anew", async () => {
    // Others may quote it, and there may be more than a page of them.
    const quoted = comments.add("User", "<!-- tenon diff -->\nLook at this.");
    for (let count = 0; count < 100; count += 1) comments.add("Bot", "Something else.");
    expect(await run(findStep("Comment"))).toMatchObject({ code: 0, stderr: "" });
    expect(comments.list).toHaveLength(102);
    const own = comments.list.at(-1);
    expect(own?.body).toMatch(/^<!-- tenon diff -->\n## API changes: 1 breaking/);

    const whole = "a".repeat(65_000);
    writeFileSync(join(temporary, "contract.md"), whole);
    expect(await run(findStep("Comment"))).toMatchObject({ code: 0, stderr: "" });
    expect(comments.list).toHaveLength(102);
    expect(own?.body).toBe(`<!-- tenon diff -->\n${whole}`);
    expect(quoted.body).toContain("Look at this.");
  });

  test("says nothing where nothing changes, unless it said something before", async () => {
    writeFileSync(join(temporary, "contract.json"), '{"changes":[]}');
    writeFileSync(join(temporary, "contract.md"), "None any more.\n");
    expect(await run(findStep("Comment"))).toMatchObject({ code: 0 });
    expect(comments.list.at(-1)?.body).toBe("<!-- tenon diff -->\nNone any more.\n");
    comments.list.length = 0;
    expect(await run(findStep("Comment"))).toMatchObject({ code: 0 });
    expect(comments.list).toEqual([]);
  });

  test("fails when it may not comment", async () => {
    const { code, stderr } = await run(findStep("Comment"), { GITHUB_TOKEN: "other" });
    expect(code).toBe(1);
    expect(stderr).toContain("GET 7/comments?per_page=100&page=1: 401");
  });

  test("the check fails with annotations when clients would break", async () => {
    const { code, stdout } = await run(findStep("Check"));
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^::error file=openapi\.yaml,line=5,title=breaking%3A operation-removed::GET \/pets: /,
    );
    expect(stdout).toContain("\n::notice file=openapi.yaml,line=7,title=safe%3A operation-added::");
  });

  test("has the name that the settings are told to require", () => {
    expect(workflow.jobs.contract.name).toBe("contract");
    expect(read("README.md")).toContain('"Require status checks to pass", `contract`');
    expect(steps.filter(({ run: script }) => script !== undefined)).toHaveLength(4);
  });

  test("the job for GitLab writes a report and fails", async () => {
    const [, yaml = ""] = /```yaml\n([^]*?)```/.exec(read("README.md")) ?? [];
    const { contract } = parse(yaml) as { contract: { script: string } };
    const base = repository.git("rev-parse", "main^1").trim();
    const outcome = await run({ run: contract.script }, { CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
    expect(outcome).toMatchObject({ code: 1 });
    expect(readFileSync(join(repository.folder, "contract.xml"), "utf8")).toContain(' failures="1"');
  });

  test("the command for a release writes the changelog", async () => {
    repository.git("tag", "v1.0.0", "main^1");
    const [, script = ""] = /```sh\n([^]*?)```/.exec(read("README.md")) ?? [];
    expect(await run({ run: script })).toMatchObject({ code: 0 });
    const text = readFileSync(join(repository.folder, "generated/v1/changelog.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ versions: [{ version: "Unreleased" }, { version: "1.0.0" }] });
  });
});

test("the workflow for every push runs the commands of the guide's page", () => {
  const page = readFileSync(join(ROOT, "src/cli/guide/ci.md"), "utf8");
  const { jobs } = parse(read("service.yaml")) as { jobs: { checks: { steps: readonly Step[] } } };
  const commands = jobs.checks.steps.flatMap(({ run }) => run ?? []);
  const [install, ...checks] = commands.filter((command) => command !== "cat service.log");
  expect(install).toBe("npm ci");
  expect(checks).toHaveLength(8);
  const lines = new Set(page.split("\n").map((line) => line.replace(/^\$ /, "")));
  expect(checks.filter((command) => !lines.has(command.replace(" > service.log &", "")))).toEqual([]);
});

/** This Tenon, as npm would install it. */
function installCommand(folder: string): void {
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(toPackedCommand(), join(bin, "tenon"));
}
