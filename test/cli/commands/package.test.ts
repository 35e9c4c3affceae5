import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { send } from "../../support/http.js";
import { endProcesses } from "../../support/process-group.js";
import { packTenon } from "./packed.js";
import { Started } from "./started.js";

/** Uses the entries of the package; `tenon/testing` wants supertest, which the service does not have. */
const CONSUMER = `import { createContractClient } from "tenon/client";
import { createRouter, createErrorHandler } from "tenon/runtime";
import { createDocsRouter } from "tenon/docs";
import plugin from "@tenon/cli/lint";
const all = [createContractClient, createRouter, createErrorHandler, createDocsRouter, plugin];
console.log(all.map((value) => typeof value).join());
`;

/** It packs, and installs from the registry twice: on request, and wherever everything is checked. */
const wanted = (process.env["CI"] ?? process.env["TENON_PACKAGE_TEST"]) !== undefined;

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
      expect(tarballs.map((path) => basename(path))).toEqual(["tenon-0.1.0.tgz", "tenon-cli-0.1.0.tgz"]);
      copyTarballs(folder);
      const paths = files["@tenon/cli"];
      expect(paths).toContain("dist/docs/redoc.standalone.js");
      expect(paths).toContain("schemas/diff.schema.json");
      expect(paths).toContain("template/gitignore");
      expect(paths).toContain("template/.vscode/settings.json");
      const isBuilt = (path: string) => /^dist\/.*\.(?:c?js|d\.c?ts|txt)$/.test(path);
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
      const tarball = join(folder, "tenon-cli-0.1.0.tgz");
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
        expect((await fetch(`http://127.0.0.1:${text ?? ""}/docs/redoc.js`)).status).toBe(200);
      } finally {
        expect(await dev.stop("SIGINT")).toBe(0);
      }
    });

    test.each(["tenon", "tenon-cli"])("the tools that check packages accept %s", (name) => {
      const tarball = join(folder, `${name}-0.1.0.tgz`);
      // CommonJS reaches it by `require`, which Node has had for ES modules since 20.19; compilers set to older ones say no.
      const attw = ["attw", tarball, "--ignore-rules", "cjs-resolves-to-esm", "--no-emoji", "--no-color"];
      npm(folder, "exec", "--yes", "--package=@arethetypeswrong/cli@0.18.5", "--", ...attw);
      const report = npm(
        folder,
        "exec",
        "--yes",
        "--package=publint@0.3.25",
        "--",
        "publint",
        tarball,
        "--strict",
      );
      expect(report).toContain("All good!");
    });

    test.each([
      ["module", "nodenext", "nodenext"],
      ["module", "node16", "node16"],
      ["module", "esnext", "bundler"],
      ["commonjs", "nodenext", "nodenext"],
      ["commonjs", "commonjs", "node10"],
    ])(
      "compiles and runs in a package of type %s, with module %s resolved as by %s",
      (type, module, resolution) => {
        const consumer = join(project(), "consumer");
        rmSync(consumer, { recursive: true, force: true });
        mkdirSync(consumer);
        writeFileSync(join(consumer, "package.json"), JSON.stringify({ type }));
        writeFileSync(join(consumer, "use.ts"), CONSUMER);
        const tsc = join(project(), "node_modules/typescript/bin/tsc");
        const strict = ["--strict", "--skipLibCheck", "false", "--target", "es2023", "--types", "node"];
        const chosen = ["--module", module, "--moduleResolution", resolution];
        const { stdout } = spawnSync(process.execPath, [tsc, ...chosen, ...strict, "use.ts"], {
          cwd: consumer,
          encoding: "utf8",
        });
        expect(stdout).toBe("");
        const printed = execFileSync(process.execPath, ["use.js"], { cwd: consumer, encoding: "utf8" });
        expect(printed.trim()).toBe("function,function,function,function,function");
      },
    );

    test("runs in production without what is for development, as the tutorial deploys it", async () => {
      const production = join(folder, "production");
      cpSync(project(), production, {
        recursive: true,
        filter: (path) => !path.startsWith(join(project(), "node_modules")),
      });
      npm(project(), "run", "build");
      cpSync(join(project(), "dist"), join(production, "dist"), { recursive: true });
      rmSync(join(production, "src"), { recursive: true });
      npm(production, "ci", "--omit=dev", "--no-audit", "--no-fund");
      const service = new Started(process.execPath, ["dist/src/main.js"], {
        cwd: production,
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

    test.each(["test", "lint", "types", "stubs"])("its `npm run %s` passes", (script) => {
      npm(project(), "run", script);
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
