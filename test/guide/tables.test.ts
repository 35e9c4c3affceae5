import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { CONTRACT_ERRORS, CONTRACT_WARNINGS } from "../../src/tenon/core/document/contract-error.js";
import createPlugin from "../../src/cli/lint/index.js";
import { CHECKS } from "../../src/cli/verify/checks/index.js";
import { REQUEST_FORMATS } from "../../src/cli/verify/formats.js";
import { HTTP_ERRORS } from "../../src/tenon/runtime/errors/http-error.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Rows of the tables of a page of the guide below a heading: what is in their cells. */
function rows(page: string, heading: string): string[][] {
  const text = readFileSync(join(ROOT, "src/cli/guide", page), "utf8");
  const section = text.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| -"))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** What is set as code in the first cells, without the head of the table. */
const names = (table: string[][]): string[] =>
  table.flatMap(([cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)).sort();

describe("the tables of the runtime", () => {
  /** Members that an interface of the runtime declares itself. */
  const declared = (file: string, name: string): string[] => {
    const text = readFileSync(join(ROOT, "src/tenon/runtime", file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023);
    const found = source.statements.find(
      (node) => ts.isInterfaceDeclaration(node) && node.name.text === name,
    );
    return (found as ts.InterfaceDeclaration).members.map((member) => (member.name as ts.Identifier).text);
  };

  test("have every option, and no other", () => {
    const api = [
      "handlers",
      ...declared("routing/options.ts", "BaseOptions"),
      ...declared("errors/error-content.ts", "ErrorContentOptions"),
      ...declared("errors/failure.ts", "FailureOptions"),
      ...declared("body/body.ts", "BodyLimits"),
    ];
    expect(names(rows("runtime.md", "Options"))).toEqual(api.sort());
    expect(names(rows("runtime.md", "The HTTP server"))).toEqual(
      declared("server/server.ts", "HttpServerOptions").sort(),
    );
  });
});

test("the table of checks has every check of verify with its meaning", () => {
  const checks = rows("verify.md", "Checks").filter(([name]) => name !== "Check");
  expect(checks).toEqual(Object.entries(CHECKS).map(([name, meaning]) => [`\`${name}\``, meaning]));
  const text = readFileSync(join(ROOT, "src/cli/guide/verify.md"), "utf8");
  const [, formats = ""] = /Checked formats:([^.]*)\./.exec(text) ?? [];
  const listed = Array.from(formats.matchAll(/`([^`]+)`/g), ([, name]) => name);
  expect(listed).toEqual([...REQUEST_FORMATS.keys()].sort());
});

describe("the tables of errors", () => {
  test("have every code with its meaning", () => {
    const told = rows("errors.md", "Contract problems").filter(([code]) => code !== "Code");
    const want = Object.entries({ ...CONTRACT_ERRORS, ...CONTRACT_WARNINGS });
    expect(told).toEqual(want.map(([code, meaning]) => [`\`${code}\``, meaning]));
  });

  test("have every answer with its status", () => {
    const told = rows("errors.md", "Service errors").slice(1);
    const want = Object.entries(HTTP_ERRORS);
    expect(told).toEqual(want.map(([code, { status, message }]) => [String(status), `\`${code}\``, message]));
  });
});

describe("the tables of configuration", () => {
  test("have every rule of ours", () => {
    const { rules } = createPlugin();
    const own = Object.keys({ ...rules?.oas3 }).map((name) => `tenon/${name}`);
    expect(names(rows("configuration.md", "Rules")).filter((name) => name.startsWith("tenon/"))).toEqual(
      own.sort(),
    );
  });

  test("have every key of x-tenon", () => {
    const schema = JSON.parse(
      readFileSync(join(ROOT, "src/cli/schemas/redocly.schema.json"), "utf8"),
    ) as Schema;
    const block = schema.properties?.["apis"]?.additionalProperties?.properties?.["x-tenon"];
    const keys = Object.entries(block?.properties ?? {}).flatMap(([key, { properties }]) =>
      properties === undefined ? [key] : Object.keys(properties).map((inner) => `${key}.${inner}`),
    );
    const text = readFileSync(join(ROOT, "src/cli/guide/configuration.md"), "utf8");
    const [table = ""] = text.split("\n## ");
    expect(
      names(
        table
          .split("\n")
          .filter((line) => line.startsWith("| `"))
          .map((line) => [line.split("|")[1] ?? ""]),
      ),
    ).toEqual(keys.sort());
  });
});

test("the table of public modules has every module of the packages that is not internal", () => {
  const modules = ["tenon", "cli"].flatMap((folder) => {
    const { name, exports } = JSON.parse(
      readFileSync(join(ROOT, `src/${folder}/package.json`), "utf8"),
    ) as Manifest;
    return Object.keys(exports)
      .filter((path) => !/\.json$|\/internal$|\/\*$/.test(path))
      .map((path) => path.replace(".", name));
  });
  expect(names(rows("upgrade.md", "What is public"))).toEqual(modules.sort());
});

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}
