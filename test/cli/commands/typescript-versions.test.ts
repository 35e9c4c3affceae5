// @thorough, 40 s: installs versions of TypeScript.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createDirectory } from "../../support/directory.js";
import { findRegistryFailure } from "../../support/registry.js";
import { packTenon } from "./packed.js";

/** Installs compilers for minutes: on request only. */
const isAsked = process.env["TENON_PACKAGE_TEST"] !== undefined;
const failure = isAsked ? findRegistryFailure() : undefined;
if (failure !== undefined)
  process.stderr.write(
    `\nThe npm registry cannot be reached (${failure}).\nThe tests with other versions of TypeScript are SKIPPED.\n\n`,
  );

(isAsked && failure === undefined ? describe : describe.skip)(
  "a new service whose project has another TypeScript",
  () => {
    let folder: string;
    const npm = (cwd: string, ...argv: string[]) =>
      execFileSync("npm", argv, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

    beforeAll(() => {
      folder = createDirectory();
      for (const tarball of packTenon().tarballs) copyFileSync(tarball, join(folder, basename(tarball)));
      mkdirSync(join(folder, "service"));
      const [tarball = ""] = packTenon().tarballs.filter((path) => basename(path).startsWith("tenon-cli-"));
      const own = join(folder, basename(tarball));
      npm(join(folder, "service"), "exec", "--yes", `--package=${own}`, "--", "tenon", "init");
    });

    test.each(["6.0.3", "7.0.2"])("generates and builds with %s", (version) => {
      const project = join(folder, `typescript-${version}`);
      cpSync(join(folder, "service"), project, { recursive: true });
      npm(project, "install", "--save-dev", `typescript@${version}`, "--no-audit", "--no-fund");
      expect(npm(project, "exec", "--", "tsc", "--version")).toBe(`Version ${version}\n`);
      expect(npm(project, "run", "--silent", "generate")).toContain("generated/v1/server.ts");
      npm(project, "run", "build");

      // The command has the version with the compiler API that it needs.
      const manifest = join(project, "node_modules/@tenon/cli/package.json");
      const { dependencies } = JSON.parse(readFileSync(manifest, "utf8")) as {
        readonly dependencies: Readonly<Record<string, string>>;
      };
      const { version: own } = createRequire(manifest)("typescript/package.json") as {
        readonly version: string;
      };
      expect(own).toBe(dependencies["typescript"]);
    });
  },
);
