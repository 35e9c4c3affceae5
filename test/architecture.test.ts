import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/**
 * What each place may import besides itself: other places by their folder, packages by name. The longest prefix of a file
 * decides. Node's own modules are allowed unless `pure` says that a place sees no file system, clock or network.
 */
const RULES: Readonly<Record<string, { readonly may: readonly string[]; readonly pure?: true }>> = {
  "src/tenon/errors.ts": { may: ["src/tenon/contract/problem.ts"], pure: true },
  "src/tenon/markup.ts": { may: [], pure: true },
  "src/tenon/media-type.ts": { may: [], pure: true },
  "src/tenon/shell.ts": { may: [], pure: true },
  "src/tenon/contract/": {
    may: ["src/tenon/errors.ts", "src/tenon/media-type.ts", "@redocly/openapi-core"],
  },
  "src/tenon/contract/required-rules.ts": { may: ["src/tenon/lint/plugin.ts", "@redocly/openapi-core"] },
  "src/tenon/contract/config-diff.ts": { may: ["src/tenon/diff/change.ts", "src/tenon/diff/codes.ts"] },
  "src/tenon/contract/discriminator.ts": { may: [], pure: true },
  "src/tenon/contract/hierarchy.ts": { may: ["src/tenon/contract/discriminator.ts"], pure: true },
  "src/tenon/contract/identifier.ts": { may: [], pure: true },
  "src/tenon/contract/implied-type.ts": { may: [], pure: true },
  "src/tenon/contract/lifecycle.ts": { may: ["src/tenon/contract/to-instant.ts"], pure: true },
  "src/tenon/contract/model.ts": { may: ["src/tenon/contract/lifecycle.ts"], pure: true },
  "src/tenon/contract/pointer.ts": { may: [], pure: true },
  "src/tenon/contract/to-instant.ts": { may: [], pure: true },
  "src/tenon/lint/": {
    may: ["src/tenon/contract/lifecycle.ts", "src/tenon/contract/to-instant.ts", "@redocly/openapi-core"],
  },
  "src/tenon/emit/": {
    may: [
      "src/tenon/contract/discriminator.ts",
      "src/tenon/contract/document.ts",
      "src/tenon/contract/hierarchy.ts",
      "src/tenon/contract/identifier.ts",
      "src/tenon/contract/lifecycle.ts",
      "src/tenon/contract/model.ts",
      "src/tenon/contract/pointer.ts",
      "src/tenon/contract/to-instant.ts",
      "src/tenon/media-type.ts",
      "src/tenon/runtime/index.ts",
      "src/tenon/runtime/operation.ts",
    ],
    pure: true,
  },
  "src/tenon/emit/types.ts": {
    may: ["src/tenon/emit/", "src/tenon/contract/document.ts", "#openapi-typescript", "#typescript"],
    pure: true,
  },
  "src/tenon/changelog/": { may: ["src/tenon/diff/change.ts"], pure: true },
  "src/tenon/diff/": {
    may: [
      "src/tenon/contract/discriminator.ts",
      "src/tenon/contract/document.ts",
      "src/tenon/contract/hierarchy.ts",
      "src/tenon/contract/implied-type.ts",
      "src/tenon/contract/lifecycle.ts",
      "src/tenon/contract/parameter-style.ts",
      "src/tenon/contract/pointer.ts",
      "src/tenon/contract/problem.ts",
      "src/tenon/contract/to-instant.ts",
      "src/tenon/media-type.ts",
    ],
    pure: true,
  },
  "src/tenon/coverage/": {
    may: [
      "src/tenon/contract/document.ts",
      "src/tenon/contract/pointer.ts",
      "src/tenon/schema-values/schema.ts",
    ],
    pure: true,
  },
  // Reads the project's own code from disk through the compiler; what is generated it gets as text.
  "src/tenon/impact/": {
    may: [
      "src/tenon/contract/model.ts",
      "src/tenon/diff/change.ts",
      "src/tenon/diff/impact.ts",
      "#typescript",
    ],
  },
  "src/tenon/verify/": {
    may: [
      "src/tenon/client/parameters.ts",
      "src/tenon/client/request-body.ts",
      "src/tenon/contract/document.ts",
      "src/tenon/contract/model.ts",
      "src/tenon/contract/pointer.ts",
      "src/tenon/markup.ts",
      "src/tenon/media-type.ts",
      "src/tenon/schema-values/",
      "src/tenon/shell.ts",
      "fast-check",
    ],
  },
  "src/tenon/verify/schema/judge.ts": {
    may: ["src/tenon/contract/pointer.ts", "src/tenon/schema-values/", "@hyperjump/json-schema"],
  },
  "src/tenon/runtime/": { may: ["src/tenon/media-type.ts", "express"] },
  "src/tenon/runtime/contract-document.ts": { may: ["src/tenon/contract/pointer.ts"] },
  "src/tenon/runtime/coverage-recorder.ts": { may: ["src/tenon/coverage/", "src/tenon/runtime/", "express"] },
  "src/tenon/runtime/deprecation.ts": { may: ["src/tenon/contract/to-instant.ts"] },
  "src/tenon/runtime/multipart.ts": { may: ["src/tenon/runtime/", "@fastify/busboy"] },
  // What a schema means must be the same to who emits its type and to who enforces it.
  "src/tenon/runtime/enforced-contract.ts": {
    may: ["src/tenon/contract/discriminator.ts", "src/tenon/contract/hierarchy.ts"],
  },
  "src/tenon/runtime/enforced-schema.ts": {
    may: ["src/tenon/contract/discriminator.ts", "src/tenon/contract/implied-type.ts"],
  },
  "src/tenon/runtime/eov.ts": { may: ["src/tenon/runtime/", "express-openapi-validator"] },
  // Loaded by what answers operations that have no handler yet, and by nothing else.
  "src/tenon/runtime/mock-unimplemented.ts": {
    may: ["src/tenon/mock/answers.ts", "src/tenon/mock/create-mock.ts"],
  },
  "src/tenon/schema-values/": {
    may: [
      "src/tenon/contract/discriminator.ts",
      "src/tenon/contract/hierarchy.ts",
      "src/tenon/contract/implied-type.ts",
      "src/tenon/contract/pointer.ts",
      "fast-check",
    ],
    pure: true,
  },
  "src/tenon/mock/": {
    may: [
      "src/tenon/media-type.ts",
      "src/tenon/runtime/",
      "src/tenon/schema-values/",
      "express",
      "fast-check",
    ],
  },
  "src/tenon/client/": { may: ["openapi-fetch", "src/tenon/media-type.ts"], pure: true },
  "src/tenon/testing/": {
    may: ["src/tenon/client/index.ts", "src/tenon/media-type.ts", "src/tenon/runtime/", "supertest"],
  },
  "src/tenon/docs/": {
    may: [
      "src/tenon/changelog/changelog.ts",
      "src/tenon/contract/document.ts",
      "src/tenon/contract/lifecycle.ts",
      "src/tenon/contract/pointer.ts",
      "src/tenon/contract/to-instant.ts",
      "src/tenon/diff/change.ts",
      "src/tenon/markup.ts",
      "src/tenon/media-type.ts",
      "src/tenon/runtime/index.ts",
      "express",
      "yaml",
    ],
  },
  // What runs in the reader's browser sees nothing of Node's.
  "src/tenon/docs/browser/": {
    may: [
      "src/tenon/contract/document.ts",
      "src/tenon/docs/narrow.ts",
      "src/tenon/docs/palette.ts",
      "src/tenon/docs/reader/",
      "src/tenon/docs/redoc-options.ts",
      "src/tenon/docs/samples/address.ts",
    ],
    pure: true,
  },
  "src/tenon/docs/narrow.ts": { may: [], pure: true },
  "src/tenon/docs/palette.ts": { may: [], pure: true },
  "src/tenon/docs/markdown.ts": { may: [], pure: true },
  "src/tenon/docs/members.ts": { may: ["src/tenon/contract/document.ts"], pure: true },
  "src/tenon/docs/reader/": {
    may: [
      "src/tenon/contract/document.ts",
      "src/tenon/contract/pointer.ts",
      "src/tenon/docs/markdown.ts",
      "src/tenon/docs/members.ts",
    ],
    pure: true,
  },
  "src/tenon/docs/redoc-options.ts": { may: ["src/tenon/docs/palette.ts"], pure: true },
  "src/tenon/docs/samples/": {
    may: [
      "src/tenon/client/parameters.ts",
      "src/tenon/client/request-body.ts",
      "src/tenon/contract/build-model.ts",
      "src/tenon/contract/document.ts",
      "src/tenon/contract/model.ts",
      "src/tenon/contract/pointer.ts",
      "src/tenon/docs/follow.ts",
      "src/tenon/docs/servers.ts",
      "src/tenon/emit/security-schemes.ts",
      "src/tenon/emit/text.ts",
      "src/tenon/media-type.ts",
      "src/tenon/schema-values/",
      "src/tenon/shell.ts",
      "src/tenon/verify/build-target.ts",
      "src/tenon/verify/http/write-request.ts",
      "src/tenon/verify/target.ts",
      "fast-check",
    ],
    pure: true,
  },
  "src/tenon/docs/samples/address.ts": { may: ["src/tenon/contract/document.ts"], pure: true },
  "src/tenon/docs/browser/console.ts": {
    may: ["src/tenon/contract/document.ts", "src/tenon/docs/browser/console/", "src/tenon/docs/console/"],
    pure: true,
  },
  "src/tenon/docs/browser/console/": {
    may: [
      "src/tenon/contract/model.ts",
      "src/tenon/contract/to-instant.ts",
      "src/tenon/docs/console/",
      "src/tenon/docs/samples/values.ts",
      "src/tenon/media-type.ts",
      "src/tenon/verify/http/credentials.ts",
      "src/tenon/verify/http/link.ts",
      "src/tenon/verify/http/write-request.ts",
      "src/tenon/verify/target.ts",
    ],
    pure: true,
  },
  // What a call is, and what the contract says of it: the browser's part and the tests share it.
  "src/tenon/docs/console/": {
    may: [
      "src/tenon/client/exact-json.ts",
      "src/tenon/contract/build-model.ts",
      "src/tenon/contract/build-operations.ts",
      "src/tenon/contract/document.ts",
      "src/tenon/contract/lifecycle.ts",
      "src/tenon/contract/model.ts",
      "src/tenon/contract/pointer.ts",
      "src/tenon/docs/browser-script.ts",
      "src/tenon/docs/palette.ts",
      "src/tenon/docs/reader/with-referenced.ts",
      "src/tenon/docs/reload.ts",
      "src/tenon/docs/samples/values.ts",
      "src/tenon/docs/site.ts",
      "src/tenon/docs/to-script.ts",
      "src/tenon/markup.ts",
      "src/tenon/media-type.ts",
      "src/tenon/schema-values/",
      "src/tenon/verify/",
    ],
    pure: true,
  },
  "src/tenon/docs/build-browser-script.ts": { may: ["esbuild"] },
  "src/tenon/cli/": {
    may: [
      "src/tenon/changelog/",
      "src/tenon/contract/",
      "src/tenon/coverage/",
      "src/tenon/diff/",
      "src/tenon/docs/changelog-page.ts",
      "src/tenon/docs/changes/",
      "src/tenon/docs/read-changelog.ts",
      "src/tenon/docs/reload.ts",
      "src/tenon/docs/site.ts",
      "src/tenon/docs/versions-page.ts",
      "src/tenon/emit/",
      "src/tenon/errors.ts",
      "src/tenon/impact/",
      "src/tenon/markup.ts",
      "src/tenon/mock/index.ts",
      "src/tenon/runtime/index.ts",
      "src/tenon/verify/",
      "@redocly/openapi-core",
      "chokidar",
      "commander",
      "#typescript",
    ],
  },
  "generated/": { may: ["tenon/runtime", "tenon/client"] },
  "src/petstore/": {
    may: ["tenon/runtime", "tenon/docs", "generated/v1/server.ts", "express", "pino"],
  },
  "src/petstore/config.ts": {
    may: [
      "src/petstore/config-variable.ts",
      "src/petstore/limits/rate.ts",
      "src/petstore/store/database-url.ts",
    ],
  },
  "src/petstore/config-variable.ts": {
    may: ["src/petstore/limits/rate.ts", "src/petstore/store/database-url.ts"],
  },
  "src/petstore/limits/rate.ts": { may: [], pure: true },
  "src/petstore/handlers/": {
    may: ["generated/v1/server.ts", "src/petstore/store/store.ts", "src/petstore/keys/keys.ts"],
  },
  "src/petstore/store/": { may: ["generated/v1/server.ts", "pg"] },
  "src/petstore/keys/": {
    may: ["src/petstore/store/store.ts", "src/petstore/store/open.ts", "src/petstore/config.ts"],
  },
  "scripts/": { may: ["src/tenon/"] },
  "scripts/bench-docs.ts": {
    may: ["scripts/bench/", "src/tenon/docs/index.ts", "test/tenon/docs/chromium.ts", "express"],
  },
  "scripts/bench-docs-others.ts": { may: ["scripts/bench/", "test/tenon/docs/chromium.ts"] },
  "scripts/bench/docs.ts": { may: ["playwright-core"] },
  "scripts/bench/docs-sites.ts": { may: ["src/tenon/docs/index.ts", "express"] },
  "scripts/bench/docs-visit.ts": {
    may: ["test/tenon/docs/axe.ts", "playwright-core"],
  },
  "scripts/bench/store.ts": {
    may: [
      "src/petstore/store/sqlite.ts",
      "src/petstore/store/sqlite-driver.ts",
      "src/petstore/store/store.ts",
    ],
  },
  "scripts/soak/database.ts": {
    may: ["scripts/bench/http/workspace.ts", "src/petstore/keys/keys.ts", "src/petstore/store/open.ts"],
  },
  "scripts/differential.ts": { may: ["test/support/differential/run.ts"] },
  "scripts/faults.ts": { may: ["test/support/faults/", "test/support/postgres/server.ts"] },
  "scripts/bench/http/grown-contract.ts": { may: ["typescript"] },
  "scripts/torture/": {
    may: [
      "scripts/packages.ts",
      "src/tenon/",
      "test/support/answer-all.ts",
      "test/tenon/diff/rewrite.ts",
      "@redocly/openapi-core",
      "typescript",
    ],
  },
};

interface Import {
  /** The importing file, relative to the root. */
  readonly file: string;
  /** A file of this repository, a package's name, or `node:…`. */
  readonly target: string;
}

function readImports(folder: string): readonly Import[] {
  return (
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      // The template is another project: what `tenon init` copies.
      .filter((path) => path.endsWith(".ts") && !path.startsWith(join("tenon", "template")))
      .flatMap((path) => {
        const file = posix.join(folder, path.split(sep).join("/"));
        const text = readFileSync(join(ROOT, file), "utf8");
        return ts
          .preProcessFile(text, true, true)
          .importedFiles.map(({ fileName }) => ({ file, target: toTarget(file, fileName) }));
      })
  );
}

function toTarget(file: string, specifier: string): string {
  if (specifier.startsWith(".")) {
    const path = join(ROOT, dirname(file), specifier).replace(/\.js$/, ".ts");
    return relative(ROOT, path).split(sep).join("/");
  }
  if (specifier.startsWith("node:") || specifier.startsWith("tenon/")) return specifier;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

const startsWithAny = (target: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => (prefix.endsWith("/") ? target.startsWith(prefix) : target === prefix));

/** The rule of the longest prefix of a file. */
function placeOf(file: string): string {
  const places = Object.keys(RULES).filter((place) => startsWithAny(file, [place]));
  const [place] = places.sort((a, b) => b.length - a.length);
  if (place === undefined) throw new Error(`No rule says what ${file} may import`);
  return place;
}

/** The folder that a place is or is in: its own files are always allowed. */
const homeOf = (place: string): string => (place.endsWith("/") ? place : `${dirname(place)}/`);

function isAllowed({ file, target }: Import): boolean {
  const place = placeOf(file);
  const rule = RULES[place];
  if (rule === undefined) return false;
  if (target.startsWith("node:")) return rule.pure !== true;
  // A file with a rule of its own does not lend it to its neighbours, but they may use it.
  const home = dirname(place) === "src/tenon" ? place : homeOf(place);
  return startsWithAny(target, [home, ...rule.may]);
}

const imports = ["src", "generated", "scripts"].flatMap(readImports);

describe("imports run one way", () => {
  test("every import is one that its place may make", () => {
    const wrong = imports.filter((found) => !isAllowed(found));
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test("every permission is used, so that this list says what is", () => {
    const unused = Object.entries(RULES).flatMap(([place, { may }]) =>
      may
        .filter(
          (prefix) =>
            !imports.some(({ file, target }) => placeOf(file) === place && startsWithAny(target, [prefix])),
        )
        .map((prefix) => `${place} does not import ${prefix}`),
    );
    expect(unused).toEqual([]);
  });

  test.each([
    ["express-openapi-validator", "src/tenon/runtime/eov.ts"],
    ["@fastify/busboy", "src/tenon/runtime/multipart.ts"],
    ["#openapi-typescript", "src/tenon/emit/types.ts"],
    ["openapi-fetch", "src/tenon/client/index.ts"],
    ["@hyperjump/json-schema", "src/tenon/verify/schema/judge.ts"],
  ])("exactly one file knows %s", (name, only) => {
    expect([...new Set(imports.filter(({ target }) => target === name).map(({ file }) => file))]).toEqual([
      only,
    ]);
  });

  test("a wrong arrow is found", () => {
    const wrong: Import[] = [
      { file: "src/tenon/runtime/router.ts", target: "src/tenon/contract/load.ts" },
      { file: "src/tenon/runtime/router.ts", target: "generated/v1/server.ts" },
      { file: "src/tenon/emit/server.ts", target: "node:fs" },
      { file: "src/tenon/emit/server.ts", target: "src/tenon/contract/load.ts" },
      { file: "src/tenon/contract/load.ts", target: "src/tenon/emit/server.ts" },
      { file: "src/tenon/cli/generate.ts", target: "src/petstore/app.ts" },
      { file: "src/petstore/handlers/pets.ts", target: "express" },
      { file: "src/petstore/app.ts", target: "src/tenon/runtime/router.ts" },
      { file: "generated/v1/server.ts", target: "express" },
    ];
    expect(wrong.filter(isAllowed)).toEqual([]);
  });
});
