// @thorough: generates and type-checks every fixture.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { toCallNames } from "../../../src/cli/generate/call-names.js";
import { emitApi } from "../../../src/cli/generator/index.js";
import { loadApis } from "../../../src/cli/project/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const FIXTURES = join(ROOT, "test/fixtures");
const CASES = [
  ...["petlike", "hostile", "shapes", "stub-only", "parameters", "media-types"],
  ...[
    "polymorphic",
    "keywords",
    "split",
    "everyday",
    "streams",
    "openapi-3-2",
    "parts",
    "webhooks",
    "inherited",
    "codecs",
  ],
];
/** Those with webhooks or callbacks. */
const SENDING = ["inherited", "keywords", "polymorphic", "split", "webhooks"];
const FILES = ["types.ts", "server.ts", "client.ts", "calls.ts", "contract.json"];
/** What a contract that is split by tag has besides. */
const PARTS = [
  "schema-types.ts",
  "operation-table.ts",
  "operations/pets.ts",
  "operations/pets-2.ts",
  "operations/tag-con.ts",
  "operations/u52d5u7269.ts",
  "operations/untagged.ts",
  "webhooks.ts",
  ...["calls/pets.ts", "calls/pets-2.ts", "calls/tag-con.ts", "calls/u52d5u7269.ts", "calls/untagged.ts"],
];

/** The cases with validators on request. */
const VALIDATED = [
  "codecs",
  "everyday",
  "hostile",
  "inherited",
  "keywords",
  "media-types",
  "petlike",
  "polymorphic",
  "shapes",
  "split",
];

const filesOf = (name: string): readonly string[] => [
  ...FILES,
  ...(name === "split" ? PARTS : []),
  ...(VALIDATED.includes(name) ? ["schemas.ts"] : []),
];

/** `UPDATE_FIXTURES=1 npm test -- test/cli/generate` writes what is emitted; read the difference before you commit it. */
const UPDATE = process.env["UPDATE_FIXTURES"] === "1";

describe.each(CASES)("fixture %s", (name) => {
  const folder = join(FIXTURES, name);
  const committed = join(folder, "generated");
  let emitted: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const [api] = await loadApis(folder);
    if (api === undefined) throw new Error(`${folder} has no API`);
    emitted = (await emitApi(api, folder)).files;
    if (!UPDATE) return;
    mkdirSync(committed, { recursive: true });
    for (const [file, text] of emitted) {
      mkdirSync(dirname(join(committed, file)), { recursive: true });
      writeFileSync(join(committed, file), text);
    }
  });

  test("has the committed files and no others", () => {
    expect([...emitted.keys()].sort()).toEqual([...filesOf(name)].sort());
    const found = readdirSync(committed, { recursive: true, withFileTypes: true });
    const paths = found.flatMap((entry) =>
      entry.isFile() ? [relative(committed, join(entry.parentPath, entry.name))] : [],
    );
    expect(paths.sort()).toEqual([...filesOf(name)].sort());
  });

  test.each(filesOf(name))("emits %s byte for byte", (file) => {
    expect(emitted.get(file)).toBe(readFileSync(join(committed, file), "utf8"));
  });

  test("ends lines with LF alone, and no line has trailing space", () => {
    const text = emitted.get("server.ts") ?? "";
    expect(text).not.toMatch(/[\r\u2028\u2029]|[ \t]$/m);
    expect(text.endsWith("}\n")).toBe(true);
  });

  test.each(filesOf(name).filter((file) => file.endsWith(".ts")))(
    "emits only declarations into %s",
    (file) => {
      const source = ts.createSourceFile(file, emitted.get(file) ?? "", ts.ScriptTarget.Latest);
      const kinds = source.statements.map(({ kind }) => ts.SyntaxKind[kind]);
      // Whatever broke out of a name, a comment or a text would be a statement of another kind, or another variable.
      for (const kind of kinds) {
        expect([
          "ImportDeclaration",
          "InterfaceDeclaration",
          "TypeAliasDeclaration",
          "FirstStatement",
          "FunctionDeclaration",
          "ExportDeclaration",
        ]).toContain(kind);
      }
      const variables = source.statements
        .filter(ts.isVariableStatement)
        .flatMap(({ declarationList }) =>
          declarationList.declarations.map(({ name: variable }) =>
            ts.isIdentifier(variable) ? variable.text : "",
          ),
        );
      const document = JSON.parse(emitted.get("contract.json") ?? "") as Record<string, unknown>;
      const names = toCallNames(buildContract(document).operations);
      const wanted: Readonly<Record<string, readonly string[]>> = {
        "server.ts": [
          ...["contractUrl", "basePath"],
          ...(SENDING.includes(name) ? ["webhooks"] : []),
          ...(name === "split" ? [] : ["operations"]),
        ],
        "operation-table.ts": ["operations"],
        "client.ts": ["contract", ...(name === "split" ? ["calls"] : [])],
        ...(name !== "split" && { "calls.ts": names }),
      };
      if (file === "schemas.ts") {
        for (const variable of variables)
          expect(variable).toMatch(
            /^(?:[A-Z]\w*|__proto__|\w+(?:Body|Responses|Codec)\w*|schema\d+|responses)$/,
          );
      } else if (file.startsWith("calls/")) expect(names).toEqual(expect.arrayContaining(variables));
      else expect(variables).toEqual(wanted[file] ?? []);
    },
  );
});

test("fixtures compile under the repository's own settings, and handlers that break the contract do not", () => {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const files = CASES.flatMap((name) => ts.sys.readDirectory(join(FIXTURES, name), [".ts"]));
  const emitted = CASES.flatMap(filesOf).filter((file) => file.endsWith(".ts"));
  // Besides, three fixtures have handlers.
  expect(files).toHaveLength(emitted.length + 3);
  const program = ts.createProgram(files, options);
  const diagnostics = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
    ...program.getSemanticDiagnostics(program.getSourceFile(file)),
  ]);
  const messages = diagnostics.map(
    ({ file, messageText }) =>
      `${file?.fileName.slice(dirname(FIXTURES).length) ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
  );
  expect(messages).toEqual([]);
});
