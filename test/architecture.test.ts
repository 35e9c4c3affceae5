import { readdirSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/**
 * What each layer may import besides itself, packages and Node. The longest prefix decides. Imports run one way: core is
 * beneath tenon and cli, tenon beneath the service, and nothing imports what is above it.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "src/tenon/core/": [],
  "src/tenon/runtime/": ["src/tenon/core/", "src/tenon/schemas/"],
  "src/tenon/client/": ["src/tenon/core/"],
  "src/tenon/query/": ["src/tenon/core/", "src/tenon/client/"],
  "src/tenon/schemas/": ["src/tenon/core/"],
  "src/tenon/docs/": ["src/tenon/runtime/index.ts"],
  "src/tenon/mcp/": [
    "src/tenon/core/",
    "src/tenon/client/",
    "src/tenon/runtime/body/body.ts",
    "src/tenon/runtime/errors/http-error.ts",
    "src/tenon/runtime/routing/router.ts",
  ],
  "src/tenon/webhooks/": ["src/tenon/core/", "src/tenon/runtime/", "src/tenon/client/attempts.ts"],
  "src/tenon/testing/": ["src/tenon/core/", "src/tenon/runtime/", "src/tenon/client/index.ts"],
  "src/cli/": ["src/tenon/"],
  "src/petstore/": ["src/tenon/", "generated/"],
  "src/petstore/handlers/": ["generated/", "src/petstore/store/store.ts", "src/petstore/keys/keys.ts"],
  "generated/": [
    "src/tenon/runtime/index.ts",
    "src/tenon/client/index.ts",
    "src/tenon/schemas/index.ts",
    "src/tenon/webhooks/index.ts",
  ],
};

/** Layers that see no file system, network, clock or process. */
const PURE = [
  "src/tenon/core/",
  "src/tenon/client/",
  "src/tenon/query/",
  "src/tenon/schemas/",
  "src/cli/generate/",
  "src/cli/values/",
  "src/cli/docs/browser/",
];

/** Packages that exactly one file may import, because they are to be replaced or kept at arm's length. */
const ONE_FILE: Readonly<Record<string, string>> = {
  "express-openapi-validator": "src/tenon/runtime/validation/eov.ts",
  "openapi-fetch": "src/tenon/client/connect.ts",
  "#openapi-typescript": "src/cli/generate/types/types.ts",
  "@hyperjump/json-schema": "src/cli/verify/validator.ts",
};

interface Import {
  /** The importing file, relative to the root. */
  readonly file: string;
  /** A file of this repository, a package's name, or `node:…`. */
  readonly target: string;
}

const files = ["src", "generated"]
  .flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" }).map((path) =>
      posix.join(folder, path.split(sep).join("/")),
    ),
  )
  // The template is another project, and dist/ is built from the sources.
  .filter((path) => path.endsWith(".ts") && !/\/dist\/|^src\/cli\/template\//.test(path));

const imports = files.flatMap((file): readonly Import[] =>
  ts
    .preProcessFile(readFileSync(ROOT + file, "utf8"), true, true)
    .importedFiles.map(({ fileName }) => ({ file, target: toTarget(file, fileName) })),
);

function toTarget(file: string, specifier: string): string {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier).replace(/\.js$/, ".ts");
  const own = /^tenon\/(.+)$/.exec(specifier)?.[1];
  if (own !== undefined)
    return [`src/tenon/${own}/index.ts`, `src/tenon/${own}.ts`].find((path) => files.includes(path)) ?? own;
  if (specifier.startsWith("node:")) return specifier;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

const layerOf = (path: string): string =>
  Object.keys(LAYERS)
    .filter((layer) => path.startsWith(layer))
    .sort((a, b) => b.length - a.length)[0] ?? "";

function isAllowed({ file, target }: Import): boolean {
  const layer = layerOf(file);
  if (target.startsWith("node:")) return !PURE.some((pure) => file.startsWith(pure));
  if (!/^(?:src|generated)\//.test(target)) return (ONE_FILE[target] ?? file) === file;
  return [layer, ...(LAYERS[layer] ?? [])].some((prefix) => target.startsWith(prefix));
}

describe("imports", () => {
  test("run one way", () => {
    const wrong = imports.filter((found) => !isAllowed(found));
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test("of a package for one file are found", () => {
    for (const [target, file] of Object.entries(ONE_FILE)) expect(imports).toContainEqual({ file, target });
  });

  test.each([
    ["src/tenon/runtime/routing/router.ts", "src/cli/load/load.ts"],
    ["src/tenon/core/model/model.ts", "src/tenon/runtime/index.ts"],
    ["src/tenon/runtime/routing/router.ts", "generated/v1/server.ts"],
    ["src/cli/generate/server/server.ts", "node:fs"],
    ["src/cli/generate/server/server.ts", "src/petstore/app.ts"],
    ["src/petstore/handlers/pets.ts", "src/tenon/runtime/index.ts"],
    ["src/petstore/app.ts", "src/cli/mock/index.ts"],
    ["src/tenon/mcp/mcp-router.ts", "src/tenon/runtime/index.ts"],
    ["generated/v1/server.ts", "src/petstore/app.ts"],
    ["src/tenon/runtime/routing/router.ts", "express-openapi-validator"],
  ])("%s must not import %s", (file, target) => {
    expect(isAllowed({ file, target })).toBe(false);
  });
});

/**
 * Returns the rooms that an import connects: the folders of both files below the last one that they share. Files beside a room
 * belong to none.
 */
function toRooms({ file, target }: Import): readonly (readonly [from: string, to: string])[] {
  const [from, to] = [file.split("/"), target.split("/")];
  const shared = from.findIndex((name, index) => name !== to[index]);
  if (shared < 1 || shared >= Math.min(from.length, to.length) - 1) return [];
  return [[from.slice(0, shared + 1).join("/"), to.slice(0, shared + 1).join("/")]];
}

/** Lists the rooms that import themselves through others. */
function findCircles(found: readonly Import[]): readonly string[] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of found.flatMap(toRooms)) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(next.get(from) ?? [])].some(
      (room) => room === to || (!seen.has(room) && reaches(room, to, seen.add(room))),
    );
  return [...next.keys()].filter((room) => reaches(room, room));
}

/**
 * Tests whether an import enters a room of the command beside its index.ts. Within `tenon`, files are imported one by one, so that a
 * service loads no more than it uses.
 */
function isBesideEntry({ file, target }: Import): boolean {
  const room = /^src\/cli\/[^/]+\//.exec(target)?.[0];
  if (room === undefined || file.startsWith(room) || !files.includes(`${room}index.ts`)) return false;
  return !target.endsWith("/index.ts");
}

describe("rooms", () => {
  test("are entered through their index.ts", () => {
    const wrong = imports.filter(isBesideEntry);
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
    expect(isBesideEntry({ file: "src/cli/dev/service.ts", target: "src/cli/load/load.ts" })).toBe(true);
  });

  test("form no circles", () => {
    expect(findCircles(imports)).toEqual([]);
    const planted = { file: "src/cli/load/load.ts", target: "src/cli/generator/index.ts" };
    expect(findCircles([...imports, planted])).toContain("src/cli/load");
  });
});

test("no folder of the source has more than 20 files", () => {
  const sizes = new Map<string, number>();
  for (const file of files.filter((path) => path.startsWith("src/"))) {
    const folder = posix.dirname(file);
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  expect([...sizes].filter(([, size]) => size > 20)).toEqual([]);
});

test("no function has more than 100 lines", () => {
  const long = files.flatMap((file) => findLongFunctions(file, readFileSync(ROOT + file, "utf8")));
  expect(long).toEqual([]);
  expect(findLongFunctions("x.ts", `function long() {\n${"work();\n".repeat(100)}}`)).toEqual(["x.ts:1"]);
});

function findLongFunctions(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const start = lineOf(node.getStart());
    if (ts.isFunctionLike(node) && lineOf(node.end) - start >= 100) found.push(`${file}:${start}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
