import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ENTRIES = ["runtime", "client", "query", "docs", "testing", "webhooks"] as const;

/** Names that examples use without declaring them: the parts of a service that has the Pet Store's contract. */
const SURROUNDINGS = `
import express from "express";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createApi, createPartialApi, contractUrl, basePath, type Handlers, type Principals, type Pet, type NewPet } from "../../generated/v1/server.js";
import type * as server from "../../generated/v1/server.js";
import * as generatedServer from "../../generated/v1/server.js";
import { createClient } from "../../generated/v1/client.js";
import * as generatedClient from "../../generated/v1/client.js";
import type { paths, operations as OperationTypes } from "../../generated/v1/types.js";
type operations = OperationTypes;
const operations = generatedServer.operations;
declare const app: express.Express;
declare const store: { find(id: number): Promise<Pet | undefined>; insert(pet: NewPet): Promise<Pet>; list(): Promise<readonly Pet[]> };
declare const handlers: Handlers<object, Principals>;
declare const authenticators: import("tenon/runtime").Authenticators<Principals>;
declare const errors: server.ErrorOptions;
declare const keys: { findOwner(key: string): Promise<{ readonly name: string } | undefined> };
declare const client: ReturnType<typeof createClient>;
declare const contract: Parameters<typeof import("tenon/runtime").createRouter>[0];
`;

/** Names that examples of webhooks use besides. The Pet Store's contract declares none. */
const SENT = `
type Sent = { readonly post: { readonly body: NewPet; readonly replies: { readonly 204: undefined } } };
interface Webhooks { readonly petSold: Sent }
interface Callbacks { readonly createOrder: { readonly orderShipped: { readonly "{$request.body#/url}": Sent } } }
declare const webhooks: import("tenon/webhooks").WebhookContract<Webhooks, Callbacks>;
declare const sender: import("tenon/webhooks").WebhookSender<Webhooks, Callbacks>;
declare const events: import("tenon/webhooks").EventStore;
declare const DatabaseSync: new (file: string) => import("tenon/webhooks").SqliteConnection;
declare const database: import("tenon/webhooks").SqliteConnection;
declare const secrets: { findFor(receiver: string | undefined): Promise<string> };
declare const secret: string;
declare const url: string;
declare const body: NewPet;
declare const request: express.Request;
declare const unknown: () => void;
`;

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  // Each example has all the surroundings and shows a declaration, which nothing uses.
  return { ...options, types: ["node"], noUnusedLocals: false, noUnusedParameters: false };
}

const OPTIONS = readOptions();

interface PublicSymbol {
  readonly entry: string;
  readonly name: string;
  readonly isValue: boolean;
  readonly summary: string;
  readonly examples: readonly string[];
}

/** Reads the exports of the entries with their docstrings. */
function readSymbols(): readonly PublicSymbol[] {
  const files = ENTRIES.map((entry) => join(ROOT, "src/tenon", entry, "index.ts"));
  const program = ts.createProgram(files, OPTIONS);
  const checker = program.getTypeChecker();
  return ENTRIES.flatMap((entry, index) => {
    const file = program.getSourceFile(files[index] ?? "");
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`src/tenon/${entry}/index.ts exports nothing`);
    return checker.getExportsOfModule(module).map((exported): PublicSymbol => {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      return {
        entry,
        name: exported.name,
        isValue:
          (symbol.flags & ts.SymbolFlags.Value) !== 0 &&
          exported.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) !== true,
        summary: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        examples: symbol
          .getJsDocTags(checker)
          .filter(({ name }) => name === "example")
          .map(({ text }) => ts.displayPartsToString(text)),
      };
    });
  });
}

/** Turns an example into a module in which every public symbol of its entry is imported. */
function toModule(example: string, entry: string, symbols: readonly PublicSymbol[]): string {
  const names = symbols
    .filter((symbol) => symbol.entry === entry)
    .map(({ name, isValue }) => (isValue ? name : `type ${name}`));
  return `${SURROUNDINGS}${entry === "webhooks" ? SENT : ""}import { ${names.join(", ")} } from "tenon/${entry}";\nexport async function example() {\n${example}\n}\n`;
}

/** Compiles modules that exist only in memory, and returns the errors of each. */
function compile(modules: ReadonlyMap<string, string>): readonly string[] {
  const paths = new Map([...modules].map(([name, text]) => [join(ROOT, "test/tenon", `${name}.ts`), text]));
  const host = ts.createCompilerHost(OPTIONS);
  const readFromDisk = host.getSourceFile.bind(host);
  host.fileExists = (path) => paths.has(path) || ts.sys.fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = paths.get(path);
    return text === undefined
      ? readFromDisk(path, version, ...rest)
      : ts.createSourceFile(path, text, version, true);
  };
  const program = ts.createProgram([...paths.keys()], OPTIONS, host);
  return [...paths.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText, start = 0 }) => {
        const line = file?.text.slice(start).split("\n", 1)[0] ?? "";
        const name = path.slice(path.lastIndexOf("/") + 1, -".ts".length);
        return `${name}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}\n    at: ${line}`;
      },
    );
  });
}

const symbols = readSymbols();

test.each(ENTRIES)("tenon/%s: every public symbol has a docstring with an example", (entry) => {
  const own = symbols.filter((symbol) => symbol.entry === entry);
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ summary }) => summary === "").map(({ name }) => name)).toStrictEqual([]);
  expect(own.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toStrictEqual([]);
});

test("every example compiles in a service with the Pet Store's contract", () => {
  const found = symbols.flatMap((symbol) =>
    symbol.examples.map((text, index) => ({ symbol, text, id: `${symbol.entry}.${symbol.name}.${index}` })),
  );
  const modules = found.map(({ symbol, text, id }) => [id, toModule(text, symbol.entry, symbols)] as const);
  // The last module shows that the compiler reports errors in examples.
  const wrong = toModule('const error = new HttpError("no_such_code");', "runtime", symbols);
  const [error, ...more] = compile(new Map([...modules, ["wrong", wrong]])).toReversed();
  expect(more.toReversed()).toStrictEqual([]);
  expect(error).toContain('"no_such_code"');
});
