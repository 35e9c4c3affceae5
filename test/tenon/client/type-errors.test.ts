// @slow: type-checks calls.
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILE = `${ROOT}test/tenon/client/mistakes.ts`;

/** A wrong call, the words where the compiler shows an error, and what its message has to say. */
const MISTAKES: readonly (readonly [call: string, at: string, message: RegExp])[] = [
  // Bodies
  ['client.createPet({ body: { nme: "Rex", categoryId: 1 } })', "nme", /'nme'.*mean to write 'name'/s],
  ["client.createPet({ body: { name: 5, categoryId: 1 } })", "name", /'number' is not .* 'string'/],
  ['client.createPet({ body: { name: "Rex" } })', "body", /Property 'categoryId' is missing/],
  ["client.createPet({ body })", "body", /Property 'categoryId' is missing/],
  ["client.createPet({})", "{}", /Property 'body' is missing/],
  ["client.createPet()", "createPet", /Expected 1 arguments/],
  ["createPet(client, { body })", "body", /Property 'categoryId' is missing/],
  // Query parameters
  ["client.listPets({ query: { limt: 5 } })", "limt", /'limt'.*mean to write 'limit'/s],
  ['client.listPets({ query: { limit: "5" } })', "limit", /'string' is not .* 'number'/],
  [
    'client.listPets({ query: { status: "gone" } })',
    "status",
    /'"gone"'.*"available" \| "pending" \| "sold"/,
  ],
  ["client.listPets({ qery: { limit: 5 } })", "qery", /'qery'.*mean to write 'query'/s],
  // Path parameters
  ['client.getPet({ path: { petId: "1" } })', "petId", /'string' is not .* 'number'/],
  ["client.getPet({ path: { id: 1 } })", "id", /'id' does not exist in type '\{ petId: number; \}'/],
  ["client.getPet({ path: {} })", "path", /Property 'petId' is missing/],
  ["client.getPet({})", "{}", /Property 'path' is missing/],
  ["client.getPet()", "getPet", /Expected 1 arguments/],
  ["client.getPet(options)", "options", /Property 'petId' is missing/],
  ["getPet(client)", "getPet", /Expected 2 arguments/],
  // Operations
  ["client.listPet()", "listPet", /Property 'listPet' does not exist on type 'Client'.*mean 'listPets'/],
];

const SOURCE = `import { createClient, createPet, getPet } from "../../../generated/v1/client.js";
const client = createClient({ baseUrl: "", apiKey: "" });
const body = { name: "Rex", category: 1 };
const options = { path: { id: 5 } };
${MISTAKES.map(([call]) => `void ${call};\n`).join("")}`;

function findErrors(): readonly ts.Diagnostic[] {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, types: ["node"] }, ROOT);
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? ts.createSourceFile(name, SOURCE, ts.ScriptTarget.ES2023, true) : read(name, ...rest);
  host.fileExists = (name) => name === FILE || ts.sys.fileExists(name);
  const program = ts.createProgram([FILE], options, host);
  return program.getSemanticDiagnostics(program.getSourceFile(FILE));
}

test("the compiler shows a wrong call at its property, and in words of the contract", () => {
  const lines = SOURCE.split("\n");
  const found = findErrors().map(({ start = 0, length = 0, messageText, relatedInformation = [] }) => {
    const before = SOURCE.slice(0, start).split("\n").length - 1;
    return {
      call: lines[before]?.slice("void ".length, -1),
      at: SOURCE.slice(start, start + length),
      message: [messageText, ...relatedInformation.map((related) => related.messageText)]
        .map((text) => ts.flattenDiagnosticMessageText(text, "\n"))
        .join("\n"),
    };
  });
  expect(found).toEqual(
    MISTAKES.map(([call, at, message]) => ({
      call,
      at,
      message: expect.stringMatching(message),
    })),
  );
  // Options have the name of their operation: in the first line, or where the expected type comes from.
  const named = found.filter(({ at }) => ["{}", "body", "path", "qery", "nme"].includes(at));
  expect(named).toHaveLength(8);
  for (const { call = "", message } of named) {
    const [, first = "", rest = ""] = /(\w)(\w+Pets?)\(/.exec(call) ?? [];
    expect(message).toContain(`OperationOptions<${first.toUpperCase()}${rest}, `);
  }
});
