// @thorough: compiles without the optional peers of tenon/query.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILE = join(ROOT, "test/types/peers.virtual.ts");
const TEXT = `
import { queryKey, swr } from "tenon/query";
import { type Client, listPets } from "../../generated/v1/client.js";
declare const client: Client;
export const name: Promise<string | undefined> = swr(client, listPets)[1]().then(([pet]) => pet?.name);
export const right: string = queryKey(listPets)[0];
export const wrong: number = queryKey(listPets)[0];
`;

/** Compiles the text where some packages are not installed. */
function compile(missing: RegExp): readonly string[] {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const disk = ts.createCompilerHost(options);
  const program = ts.createProgram([FILE], options, {
    ...disk,
    fileExists: (path) => path === FILE || (!missing.test(path) && disk.fileExists(path)),
    directoryExists: (path) => !missing.test(path) && ts.sys.directoryExists(path),
    getSourceFile: (path, ...more) =>
      path === FILE
        ? ts.createSourceFile(path, TEXT, ts.ScriptTarget.ES2023)
        : disk.getSourceFile(path, ...more),
  });
  const tag = program.getSourceFile(join(ROOT, "src/tenon/query/tag.ts"));
  return [program.getSourceFile(FILE), tag]
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test.each([
  ["both", /[\\/]@tanstack[\\/]/],
  ["what the framework's package depends on", /[\\/]@tanstack[\\/]query-core/],
])("without %s, keys and data keep their types", (_, missing) => {
  expect(compile(missing)).toEqual(["Type 'string' is not assignable to type 'number'."]);
});
