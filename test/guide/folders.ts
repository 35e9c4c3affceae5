import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Packed, packTenon } from "../cli/commands/packed.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * What a page's commands find when they start, by the name that `start` gives it.
 * - `empty`: nothing. The package lies beside it, as `../tenon-0.1.0.tgz`.
 * - `service`: what `tenon init` writes, installed and generated, in a git repository whose one commit has the tag v1.0.0.
 * - `pets`: the Pet Store's contract and what is generated from it, in a service's package.
 * - `petstore`: the same with the Pet Store Service running on port 3000, and a key for it in `KEY`.
 */
export const FOLDERS = ["empty", "service", "pets", "petstore"] as const;
export type FolderKind = (typeof FOLDERS)[number];

/** Stands in for npm where it would ask the registry: what would be installed is linked from this repository. */
const NPM = `#!/bin/sh
case "$1" in
  install | ci) [ -e node_modules ] || ln -s "$TENON_TEST_MODULES" node_modules; exit ;;
  exec)
    while [ "$1" != -- ]; do shift; done
    shift
    exec "$TENON_TEST_MODULES/.bin/$@" ;;
esac
PATH=\${PATH#*:} exec npm "$@"
`;

const NPX = `#!/bin/sh
[ "$1" = --no-install ] && shift
exec "node_modules/.bin/$@"
`;

/** Makes folders for pages, all below one that is gone when the test is. */
export class Folders {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-guide-")));
  readonly #packed: Packed = packTenon();
  #made = 0;
  #service = "";

  constructor() {
    mkdirSync(join(this.root, "bin"));
    for (const [name, text] of Object.entries({ npm: NPM, npx: NPX })) {
      writeFileSync(join(this.root, "bin", name), text);
      chmodSync(join(this.root, "bin", name), 0o755);
    }
  }

  /** What commands get besides this process's own environment. */
  get environment(): NodeJS.ProcessEnv {
    const name = { GIT_AUTHOR_NAME: "Me", GIT_COMMITTER_NAME: "Me" };
    const email = { GIT_AUTHOR_EMAIL: "me@example.com", GIT_COMMITTER_EMAIL: "me@example.com" };
    return {
      PATH: `${join(this.root, "bin")}:${process.env["PATH"] ?? ""}`,
      TENON_TEST_MODULES: this.#packed.modules,
      NODE_OPTIONS: "",
      // What the tests themselves run under is none of a page's business.
      NODE_ENV: "development",
      TENON_COVERAGE: undefined,
      CI: undefined,
      NO_COLOR: "1",
      npm_config_loglevel: "error",
      GIT_CONFIG_GLOBAL: "/dev/null",
      ...name,
      ...email,
    };
  }

  /** Makes a folder with what its kind has in it. */
  make(kind: FolderKind): string {
    const beside = join(this.root, String((this.#made += 1)));
    const folder = join(beside, kind === "empty" ? "work" : "notes");
    mkdirSync(folder, { recursive: true });
    for (const tarball of this.#packed.tarballs) symlinkSync(tarball, join(beside, basename(tarball)));
    if (kind === "empty") return folder;
    cpSync(this.#initService(), folder, { recursive: true, verbatimSymlinks: true });
    if (kind === "service") return folder;
    for (const path of ["openapi", "generated/v1", "src", "test"])
      execFileSync("rm", ["-r", join(folder, path)]);
    for (const path of ["openapi", "generated"])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    // This repository's generated files import .js.
    const config = join(folder, "redocly.yaml");
    writeFileSync(config, readFileSync(config, "utf8").replace(/ +importExtension: ts\n/, ""));
    this.#run(folder, "git add -A && git commit -qm 'feat: pets' && git tag -f v1.0.0");
    return folder;
  }

  /** The same for all pages, so made once. */
  #initService(): string {
    if (this.#service !== "") return this.#service;
    const folder = join(this.root, "notes");
    mkdirSync(folder);
    this.#run(folder, "npm exec -- tenon init && npm install && npx tenon generate");
    this.#run(folder, "git init -qb main && git add -A && git commit -qm 'feat: notes' && git tag v1.0.0");
    this.#service = folder;
    return folder;
  }

  #run(cwd: string, command: string): void {
    const env = { ...process.env, ...this.environment };
    execFileSync("bash", ["-c", command], { cwd, env, stdio: "pipe" });
  }
}
