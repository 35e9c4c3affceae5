// @slow: runs the compiler for every mistake.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILE = join(ROOT, "test/types/mistakes.virtual.ts");

const PRELUDE = `
import { createErrorHandler, createHttpServer } from "tenon/runtime";
import { createApi, createPartialApi, type ErrorBody, type ErrorOptions, type Handlers, type Pet } from "../../generated/v1/server.js";
import { createClient } from "../../generated/v1/client.js";
import * as calls from "../../generated/v1/calls.js";
import { infiniteQueryOptions, mutationOptions, queryKey, queryOptions } from "tenon/query";
interface Context { readonly find: (id: number) => Pet }
interface Callers { readonly bearerAuth: { readonly owner: string } }
type All = Handlers<Context, Callers>;
declare const all: All;
declare const pet: Pet;
declare const row: Pet & { readonly secret: string };
declare const error: ErrorBody;
const { listPets, createPet } = all;
const options = {
  authenticators: { bearerAuth: () => ({ owner: "x" }) },
  context: () => ({ find: () => pet }),
  errorBody: () => error,
};
const client = createClient({ baseUrl: "http://127.0.0.1/v1", apiKey: "x" });
`;

/** A mistake that people make, with ⟦brackets⟧ around the very place where the compiler must object, and its words. */
const MISTAKES: readonly (readonly [name: string, code: string, message: RegExp])[] = [
  [
    "a handler is missing",
    "export const ⟦a⟧: All = { listPets, createPet };",
    /Property 'getPet' is missing in type .* but required in type 'Handlers<Context, Callers>'/,
  ],
  [
    "a handler is missing where the API is created",
    "createApi<Context, Callers>({ ...options, ⟦handlers⟧: { listPets, createPet } });",
    /Property 'getPet' is missing/,
  ],
  [
    "an operation without a success has a handler",
    "export const b: All = { ...all, ⟦listOrders⟧: () => undefined };",
    /'listOrders' does not exist in type/,
  ],
  [
    "a status is not declared",
    "export const c: All['listPets'] = (_, reply) => ⟦reply[404]⟧(error);",
    /Property '404' does not exist on type 'ListPetsReplies'/,
  ],
  [
    "a member of the body has the wrong type",
    "export const d: All['getPet'] = (_, reply) => reply[200]({ id: 1, ⟦name⟧: 7, categoryId: 1 });",
    /Type 'number' is not assignable to type 'string'/,
  ],
  [
    "a required member of the body is missing",
    "export const e: All['createPet'] = ({ body }, reply) => reply[201](⟦body⟧);",
    /Property 'id' is missing in type 'NewPet' but required in type 'Pet'/,
  ],
  [
    "a literal has an extra member",
    "export const f: All['getPet'] = (_, reply) => reply[200]({ id: 1, name: 'n', categoryId: 1, ⟦secret⟧: 'x' });",
    /'secret' does not exist in type 'Pet'/,
  ],
  [
    "a value is not one of the enum's",
    "export const g: All['getPet'] = (_, reply) => reply[200]({ id: 1, name: 'n', categoryId: 1, ⟦status⟧: 'lost' });",
    /Type '"lost"' is not assignable to type 'PetStatus/,
  ],
  [
    "a required response header is missing",
    "export const h: All['getPet'] = (_, reply) => ⟦reply[401]⟧(error);",
    /Expected 2 arguments, but got 1/,
  ],
  [
    "a response header is not declared",
    "export const i: All['listPets'] = (_, reply) => reply[200]([], { headers: { ⟦'X-Total'⟧: '1' } });",
    /''X-Total'' does not exist in type/,
  ],
  [
    "an answer is not a reply",
    "export const j: All['getPet'] = () => ⟦pet⟧;",
    /Type 'Pet' is missing the following properties from type 'Reply<"getPet">'/,
  ],
  [
    "a reply is another operation's",
    "export const k: All['getPet'] = async (request, _, context) => ⟦createPet⟧({ ...request, path: {}, body: pet }, null!, context);",
    /Type 'Reply<"createPet">' is not assignable to type 'Reply<"getPet">'/,
  ],
  [
    "a handler reads a parameter that the operation does not have",
    "export const l: All['getPet'] = ({ query }, reply) => (query.⟦limit⟧, reply[200](pet));",
    /Property 'limit' does not exist/,
  ],
  [
    "a handler forgets that an optional parameter may be absent",
    "export const m: All['listPets'] = ({ query }, reply) => reply[200]([{ ...pet, name: ⟦query.status⟧.at(0) ?? '' }]);",
    /'query.status' is possibly 'undefined'/,
  ],
  [
    "a handler reads what the authenticator does not yield",
    "export const n: All['getPet'] = (_, reply, { auth }) => (auth.bearerAuth.⟦admin⟧, reply[200](pet));",
    /Property 'admin' does not exist on type '\{ readonly owner: string; \}'/,
  ],
  [
    "a security scheme has no authenticator",
    "createApi<Context, Callers>({ ...options, ⟦authenticators⟧: {}, handlers: all });",
    /Property 'bearerAuth' is missing/,
  ],
  [
    "an authenticator yields somebody else",
    "createApi<Context, Callers>({ ...options, authenticators: { bearerAuth: () => ⟦({ name: 'x' })⟧ }, handlers: all });",
    /is not assignable to type/,
  ],
  [
    "handlers are missing and nobody says what then",
    "createPartialApi<Context, Callers>(⟦{ ...options, handlers: { listPets } }⟧);",
    /Property 'unimplemented' is missing/,
  ],
  [
    "handlers use a context that nobody makes",
    "createApi<Context, Callers>(⟦{ authenticators: options.authenticators, errorBody: options.errorBody, handlers: all }⟧);",
    /Property 'context' is missing/,
  ],
  [
    "nobody decides whose credential it is",
    "createApi<Context, Callers>(⟦{ context: options.context, errorBody: options.errorBody, handlers: all }⟧);",
    /Property 'authenticators' is missing/,
  ],
  [
    "an error body lacks what the contract requires",
    "createApi<Context, Callers>({ ...options, errorBody: ({ code }) => ⟦({ code })⟧, handlers: all });",
    /missing the following properties from type 'ErrorBody': message, status/,
  ],
  [
    "the media type of errors is none of the contract's",
    "createApi<Context, Callers>({ ...options, ⟦errorMediaType⟧: 'application/problem+json', handlers: all });",
    /is not assignable to type '"application\/json"'/,
  ],
  [
    "a client sends what the operation does not take",
    "void client.GET('/pets', { params: { query: { ⟦limt⟧: 5 } } });",
    /'limt' does not exist in type/,
  ],
  [
    "a client forgets a required member",
    "void client.POST('/pets', { ⟦body⟧: { name: 'n' } });",
    /Property 'categoryId' is missing/,
  ],
  [
    "a query has a parameter that is misspelt",
    "queryOptions(client, calls.listPets, { query: { ⟦limt⟧: 5 } });",
    /'limt' does not exist in type '\{ limit\?: number/,
  ],
  ["a query lacks its path", "⟦queryOptions⟧(client, calls.getPet);", /Expected 3 arguments, but got 2/],
  [
    "an operation without pages has none to read",
    "infiniteQueryOptions(client, ⟦calls.createPet⟧, { body: { name: 'n', categoryId: 1 } });",
    /Property 'pages' is missing in type 'Call<CreatePet, .*' but required in type 'PagedOperationCall</,
  ],
  [
    "the body of a mutation has the wrong type",
    "void mutationOptions(client, calls.createPet).mutationFn({ body: { ⟦name⟧: 7, categoryId: 1 } });",
    /Type 'number' is not assignable to type 'string'/,
  ],
  [
    "a key has a value that is none of the enum's",
    "queryKey(calls.listPets, { query: { ⟦status⟧: 'lost' } });",
    /Type '"lost"' is not assignable to type '(?=.*"pending")(?=.*"available")(?=.*"sold")/,
  ],
];

const RIGHT = `
export const right: All = {
  listPets: ({ query }, reply) => reply[200](query.limit > 5 ? [] : [pet], { headers: { Link: "<x>" } }),
  createPet: async ({ body }, reply) => Promise.resolve(reply[201]({ ...body, id: 1 })),
  getPet: ({ path }, reply, { find, auth }) =>
    auth.bearerAuth.owner === "x" ? reply[200](find(path.petId)) : reply[404]({ ...error, status: 404 }),
};
createApi<Context, Callers>({ ...options, handlers: right });
createPartialApi<Context, Callers>({ ...options, handlers: {}, unimplemented: "501" });
// What no handler uses need not be made, and what is made is inferred.
declare const bare: Handlers<object, Callers>;
const { authenticators, errorBody } = options;
createApi({ authenticators, errorBody, handlers: bare });
createApi({
  authenticators,
  errorBody,
  context: (request) => ({ ip: request.ip }),
  handlers: { ...bare, getPet: (_, reply, { ip, auth }) => reply[200]({ ...pet, name: (ip ?? "") + auth.bearerAuth.owner }) },
});
const errors: ErrorOptions = { errorBody: ({ code, message, status }) => ({ code, message, status }), onFailure: (_, request) => void request?.url };
createErrorHandler(errors);
createHttpServer(() => undefined, errors);
createHttpServer(() => undefined, { ...errors, targetLimit: 9_000 });
void client.POST("/pets", { body: { name: "n", categoryId: 1 } });
// A value that is no literal may have more members: the contract admits them.
export const wider: All["getPet"] = (_, reply) => reply[200](row);
`;

interface Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Compiles one text as if it were a file of this folder, under the repository's settings. */
function compile(text: string): readonly Diagnostic[] {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => path === FILE || disk.fileExists(path),
    readFile: (path) => (path === FILE ? text : disk.readFile(path)),
    getSourceFile: (path, ...more) =>
      path === FILE
        ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2023)
        : disk.getSourceFile(path, ...more),
  };
  const program = ts.createProgram([FILE], options, host);
  const source = program.getSourceFile(FILE);
  if (source === undefined) throw new Error("The compiler did not see the text");
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ start = 0, messageText }) => {
      const { line, character } = ts.getLineAndCharacterOfPosition(source, start);
      return { line, column: character, message: ts.flattenDiagnosticMessageText(messageText, "\n") };
    },
  );
}

describe("mistakes do not compile, at the exact place", () => {
  const lines = MISTAKES.map(([, code]) => code);
  const offset = PRELUDE.split("\n").length - 1;
  const diagnostics = compile(
    `${PRELUDE}${lines.map((line) => line.replace(/[⟦⟧]/g, "")).join("\n")}\n${RIGHT}`,
  );

  test.each(
    MISTAKES.map(([name, code, message], index) => [name, { code, message, line: offset + index }] as const),
  )("%s", (_, { code, message, line }) => {
    const found = diagnostics.filter((diagnostic) => diagnostic.line === line);
    expect(found).toEqual([
      { line, column: code.indexOf("⟦"), message: expect.stringMatching(message) as unknown },
    ]);
  });

  test("and nothing else is refused", () => {
    expect(diagnostics.filter(({ line }) => line < offset || line >= offset + MISTAKES.length)).toEqual([]);
  });
});
