// @thorough, 150 s: packs, and installs from the registry several times.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { VERSION } from "../../../src/tenon/core/version/index.js";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readSteps } from "../../guide/block.js";
import { send } from "../../support/http.js";
import { endProcesses } from "../../support/process-group.js";
import { until } from "../../support/until.js";
import { packTenon } from "./packed.js";
import { Started } from "./started.js";

/** Uses the entries of the package; `tenon/testing` wants supertest, which the service does not have. */
const CONSUMER = `import { createContractClient } from "tenon/client";
import { createRouter, createErrorHandler } from "tenon/runtime";
import { createDocsRouter } from "tenon/docs";
const all = [createContractClient, createRouter, createErrorHandler, createDocsRouter];
console.log(all.map((value) => typeof value).join());
`;

/** Has no type of its own but Redocly's, whose declarations take longer to check than all others. */
const PLUGIN = `import plugin from "@tenon/cli/lint";
// @ts-expect-error: the plugin's type is known, and not any.
plugin().id satisfies number;
`;

interface Lock {
  readonly packages: Readonly<Record<string, unknown>>;
}

/** It packs, and installs from the registry several times: on request, and wherever everything is checked. */
const isAsked = process.env["TENON_PACKAGE_TEST"] !== undefined;
const wanted = isAsked || process.env["CI"] !== undefined;

/** Further settings of consumers, which take long or are rare. */
const ASKED_MODULES = [
  ["module", "node16", "node16", "true"],
  ["commonjs", "commonjs", "node10", "false"],
] as const;

/** What builds the service once more, or installs tools of its own, is only tested on request. */
const testAsked = isAsked ? test : test.skip;

(wanted ? describe : describe.skip)(
  "the packed package, in a folder that knows nothing of this repository",
  () => {
    let folder = "";
    const project = () => join(folder, "service");
    const npm = (cwd: string, ...argv: string[]) =>
      execFileSync("npm", argv, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

    beforeAll(() => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-package-")));
      mkdirSync(project());
    });

    afterAll(async () => {
      await endProcesses();
      rmSync(folder, { recursive: true });
    });

    const copyTarballs = (target: string) => {
      for (const tarball of packTenon().tarballs) copyFileSync(tarball, join(target, basename(tarball)));
    };

    test("the packages have what is built, the template and the guide, and nothing else", () => {
      const { tarballs, files } = packTenon();
      expect(tarballs.map((path) => basename(path))).toEqual([
        `tenon-${VERSION}.tgz`,
        `tenon-cli-${VERSION}.tgz`,
      ]);
      copyTarballs(folder);
      const paths = files["@tenon/cli"];
      expect(paths).toEqual(
        expect.arrayContaining(["dist/docs/assets/styles/palette.css", "dist/docs/browser/changes.js"]),
      );
      expect(paths).toContain("schemas/diff.schema.json");
      expect(paths).toContain("template/gitignore");
      expect(paths).toContain("template/.vscode/settings.json");
      const isBuilt = (path: string) => /^dist\/.*\.(?:c?js|css|d\.c?ts|txt)$/.test(path);
      const isText = (path: string) =>
        /^(?:guide\/.*\.(?:md|svg)|recipes\/.*|template\/.*|schemas\/.*\.json)$/.test(path);
      const others = ["LICENSE", "README.md", "package.json"];
      expect(paths.filter((path) => !isBuilt(path) && !isText(path))).toEqual([
        "LICENSE",
        "README.md",
        "diff/CODES.md",
        "package.json",
      ]);
      expect(files.tenon.filter((path) => !isBuilt(path))).toEqual(others);
    });

    test("`tenon init` prints two commands, and they give a running service with its docs", async () => {
      const tarball = join(folder, `tenon-cli-${VERSION}.tgz`);
      const printed = npm(project(), "exec", "--yes", `--package=${tarball}`, "--", "tenon", "init");
      const commands = [...printed.matchAll(/^ {2}(.+)$/gm)].map(([, command = ""]) => command);
      expect(commands).toEqual(["npm install", "npm run dev"]);

      npm(project(), "install", "--no-audit", "--no-fund");
      // What `npm run dev` runs: a signal to npm itself does not reach it everywhere.
      const dev = new Started(join(project(), "node_modules/.bin/tenon"), ["dev"], {
        cwd: project(),
        env: { PORT: "0", NODE_OPTIONS: "" },
      });
      try {
        const [, text] = await dev.printed(/Docs: http:\/\/127\.0\.0\.1:(\d+)\/docs/);
        const [, key] = await dev.printed(/Authorization: Bearer (\w+)/);
        const headers = { Authorization: `Bearer ${key ?? ""}` };
        expect(await send(Number(text), "/v1/notes", { headers })).toMatchObject({ status: 200, json: [] });
        expect(await send(Number(text), "/v1/notes")).toMatchObject({ status: 401 });
        // The docs are built once the service runs.
        const docs = `http://127.0.0.1:${text ?? ""}/docs/docs.js`;
        await until(async () => (await fetch(docs)).status === 200);
      } finally {
        expect(await dev.stop("SIGINT")).toBe(0);
      }
    });

    testAsked.each(["tenon", "tenon-cli"])("the tools that check packages accept %s", (name) => {
      const tarball = join(folder, `${name}-${VERSION}.tgz`);
      // CommonJS reaches it by `require`, which Node has had for ES modules since 20.19; compilers set to older ones say no.
      const attw = ["attw", tarball, "--ignore-rules", "cjs-resolves-to-esm", "--no-emoji", "--no-color"];
      npm(folder, "exec", "--yes", "--package=@arethetypeswrong/cli@0.18.5", "--", ...attw);
      const publint = ["exec", "--yes", "--package=publint@0.3.25", "--", "publint", tarball, "--strict"];
      const { stdout } = spawnSync("npm", publint, { cwd: folder, encoding: "utf8" });
      expect(stdout).toContain("Linting...");
      // The condition is for this repository, which runs from its sources; no user sets it.
      const found = [...stdout.matchAll(/^\d+\. (.*)$/gm)].flatMap(([, problem = ""]) => problem);
      expect(found.filter((problem) => !problem.includes('["tenon-source"]'))).toEqual([]);
    });

    test.each([
      ["module", "nodenext", "nodenext", "false"],
      ["module", "esnext", "bundler", "true"],
      ["commonjs", "nodenext", "nodenext", "true"],
      ...(isAsked ? ASKED_MODULES : []),
    ])(
      "compiles and runs in a package of type %s, with module %s resolved as by %s, skipLibCheck %s",
      (type, module, resolution, skipsLibraries) => {
        const consumer = join(project(), "consumer");
        rmSync(consumer, { recursive: true, force: true });
        mkdirSync(consumer);
        writeFileSync(join(consumer, "package.json"), JSON.stringify({ type }));
        writeFileSync(join(consumer, "use.ts"), skipsLibraries === "true" ? PLUGIN + CONSUMER : CONSUMER);
        const tsc = join(project(), "node_modules/typescript/bin/tsc");
        const strict = [
          "--strict",
          "--skipLibCheck",
          skipsLibraries,
          "--target",
          "es2023",
          "--types",
          "node",
        ];
        const chosen = ["--module", module, "--moduleResolution", resolution];
        const { stdout } = spawnSync(process.execPath, [tsc, ...chosen, ...strict, "use.ts"], {
          cwd: consumer,
          encoding: "utf8",
        });
        expect(stdout).toBe("");
        const printed = execFileSync(process.execPath, ["use.js"], { cwd: consumer, encoding: "utf8" });
        expect(printed.trim()).toBe("function,function,function,function");
      },
    );

    const production = () => join(folder, "production");

    test("installs at most 110 packages and 18 MB for production", () => {
      mkdirSync(production());
      for (const name of ["package.json", "package-lock.json"])
        copyFileSync(join(project(), name), join(production(), name));
      npm(production(), "install", "--omit=dev", "--no-audit", "--no-fund");
      const modules = join(production(), "node_modules");
      const lock = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as Lock;
      const packages = Object.keys(lock.packages).length;
      const [kilobytes = ""] = execFileSync("du", ["-sk", modules], { encoding: "utf8" }).split("\t");
      process.stdout.write(`A production install has ${packages} packages in ${kilobytes} kB.\n`);
      expect(packages).toBeLessThanOrEqual(110);
      expect(Number(kilobytes)).toBeLessThanOrEqual(18 * 1024);
    });

    test("runs there as the tutorial deploys it: built elsewhere, and npm passes signals on", async () => {
      npm(project(), "run", "build");
      cpSync(join(project(), "dist"), join(production(), "dist"), { recursive: true });
      const service = new Started("npm", ["start"], {
        cwd: production(),
        env: { PORT: "0", NODE_ENV: "production", API_KEY: "secret", NODE_OPTIONS: "" },
      });
      try {
        const [, port] = await service.printed(/Docs: http:\/\/127\.0\.0\.1:(\d+)\/docs/);
        const headers = { Authorization: "Bearer secret" };
        expect(await send(Number(port), "/v1/notes", { headers })).toMatchObject({ status: 200, json: [] });
      } finally {
        expect(await service.stop("SIGTERM")).toBe(0);
      }
    });

    testAsked("starts in the container that its Dockerfile builds", async () => {
      const lines = readFileSync(join(project(), "Dockerfile"), "utf8").split("\n");
      const all = (name: string) =>
        lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
      const [build, image] = [join(folder, "build"), join(folder, "image")];
      const ignored = readFileSync(join(project(), ".dockerignore"), "utf8").trim().split("\n");
      cpSync(project(), build, {
        recursive: true,
        filter: (path) => !ignored.includes(relative(project(), path)),
      });
      for (const command of all("RUN")) execFileSync(command, { cwd: build, shell: true, stdio: "pipe" });
      mkdirSync(image);
      for (const [, from = "", to = ""] of lines
        .join("\n")
        .matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S*)$/gm))
        cpSync(join(build, from), join(image, to === "" ? from : to), {
          recursive: true,
          verbatimSymlinks: true,
        });
      const [command = "", ...argv] = JSON.parse(all("CMD")[0] ?? "") as string[];
      const service = new Started(command, argv, {
        cwd: image,
        env: { PORT: "0", NODE_ENV: "production", API_KEY: "secret", NODE_OPTIONS: "" },
      });
      try {
        const [, port] = await service.printed(/Docs: http:\/\/127\.0\.0\.1:(\d+)\/docs/);
        expect(await send(Number(port), "/v1/notes")).toMatchObject({ status: 401 });
        expect(existsSync(join(image, "node_modules/@tenon/cli"))).toBe(false);
      } finally {
        expect(await service.stop("SIGTERM")).toBe(0);
      }
    });

    test.each(["test", "lint", "types", "stubs"])("its `npm run %s` passes", (script) => {
      npm(project(), "run", script);
    });

    testAsked("Vitest runs the guide's recipe", () => {
      const vitest = join(folder, "vitest");
      cpSync(project(), vitest, { recursive: true, verbatimSymlinks: true });
      const guide = readSteps(
        readFileSync(join(vitest, "node_modules/@tenon/cli/guide/test-runners.md"), "utf8"),
      );
      const own = guide.filter(({ directives }) => directives["not run"] === "other test");
      const [setup = "", file = ""] = own.map(({ text }) => text);
      // The last major version that runs on all supported versions of Node.
      execFileSync("sh", ["-ec", setup.replace(/ vitest /, " vitest@4.1.12 ")], {
        cwd: vitest,
        stdio: "pipe",
      });
      writeFileSync(join(vitest, "test/limit.test.ts"), file);
      npm(vitest, "run", "types");
      expect(npm(vitest, "test")).toContain("1 passed");
    });

    test("with `module: commonjs` it is a CommonJS service, compiled and started", async () => {
      const change = (name: string, edit: (text: string) => string) => {
        const path = join(project(), name);
        writeFileSync(path, edit(readFileSync(path, "utf8")));
      };
      change("package.json", (text) => text.replace('"type": "module"', '"type": "commonjs"'));
      change("redocly.yaml", (text) => text.replace("output: ", "module: commonjs\n      output: "));
      change("tsconfig.json", (text) => text.replace('"verbatimModuleSyntax": true', '"outDir": "out"'));
      npm(project(), "run", "generate");
      npm(project(), "run", "types", "--", "--noEmit", "false");
      const generated = join(project(), "generated/v1/contract.json");
      copyFileSync(generated, join(project(), "out/generated/v1/contract.json"));
      const service = new Started(process.execPath, ["out/src/main.js"], {
        cwd: project(),
        env: { PORT: "0", NODE_OPTIONS: "" },
      });
      try {
        const [, port] = await service.printed(/Docs: http:\/\/127\.0\.0\.1:(\d+)\/docs/);
        const headers = { Authorization: "Bearer development" };
        expect(await send(Number(port), "/v1/notes", { headers })).toMatchObject({ status: 200, json: [] });
      } finally {
        expect(await service.stop("SIGINT")).toBe(0);
      }
    });
  },
);
