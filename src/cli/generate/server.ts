import type { Contract, Operation } from "tenon/core/legacy/model";
import { emitErrorOptions } from "./error-options.js";
import { emitHandlers, emitPrincipals } from "./handlers.js";
import { createNames, recordNames, type Renamed } from "./names.js";
import { emitOperationTable } from "./operation-table.js";
import { emitOperationTypes } from "./operation-types.js";
import { emitImports, emitPart, emitWebhooks, operationImports, toParts } from "./parts.js";
import { emitDeclarations, type TypeContext } from "./schema-type.js";
import { emitHeader, emitImport, type EmitOptions, emitValue, type ModuleKind } from "./text.js";
import { findViews } from "./views.js";

type Context = Omit<TypeContext, "view">;

/** Largest number of operations whose types are all in server.ts, unless the project says otherwise. */
const SPLIT_ABOVE = 100;

/** What the table of operations takes from the runtime. */
const TABLE_TYPE = "type OperationDescriptor";

/** What server.ts takes from the runtime, whatever the contract. */
const FACE = [
  "createContractRouter",
  "type ApiOptions",
  "type ContractRouter",
  "type FailureOptions",
  "type MakeErrorBody",
  TABLE_TYPE,
  "type PartialApiOptions",
];

/** How a module says where the contract beside it is, and what that needs. */
const LOCATIONS: Readonly<Record<ModuleKind, { readonly imports: string; readonly contractUrl: string }>> = {
  esm: { imports: "", contractUrl: 'new URL("./contract.json", import.meta.url)' },
  commonjs: {
    imports: emitImport("node:url", ["pathToFileURL"]),
    contractUrl: "pathToFileURL(`${__dirname}/contract.json`)",
  },
};

interface Placed {
  readonly source: string;
  readonly module: ModuleKind;
}

/** Where a large contract has its table of operations. */
const TABLE_FILE = "operation-table.ts";

export interface EmittedServer {
  /** Path within the output folder, with `/` between its parts, to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly renamed: readonly Renamed[];
}

/**
 * Emits server.ts: the types that handlers are written against, and the table of operations that the runtime enforces.
 * There is no logic in it besides the call of the runtime. For a large contract the types are in schemas.ts and in one file
 * a tag, `operations/pets.ts`; server.ts exports them, so that what is imported from it is the same.
 */
export function emitServer(
  contract: Contract,
  { source, split = contract.operations.length > SPLIT_ABOVE, module = "esm" }: EmitOptions,
): EmittedServer {
  const handled = contract.operations.filter(({ stub }) => !stub);
  const context = createContext(contract, handled);
  const emit = split ? emitSplit : emitWhole;
  return { files: emit(contract, handled, context, { source, module }), renamed: context.names.renamed };
}

function createContext(
  { schemas: components, operations }: Contract,
  handled: readonly Operation[],
): Context {
  const schemas = new Map(components.map((named) => [named.name, named]));
  const used = operations.flatMap(({ parameters, requestBody }) => [
    ...parameters,
    ...(requestBody?.mediaTypes ?? []),
  ]);
  const views = findViews(
    schemas,
    used.map(({ schema }) => schema),
  );
  return { schemas, views, names: createNames(components, handled, views) };
}

function emitWhole(
  contract: Contract,
  handled: readonly Operation[],
  context: Context,
  { source, module }: Placed,
): ReadonlyMap<string, string> {
  const { node, runtime } = operationImports(handled);
  const imports = LOCATIONS[module].imports + emitImports({ node, runtime: [...FACE, ...runtime] });
  const types = [
    ...emitDeclarations(contract.schemas, context),
    ...handled.map((operation) => emitOperationTypes(operation, context)),
    ...emitWebhooks(contract.webhooks, context),
  ];
  return new Map([
    [
      "server.ts",
      `${emitHeader(source)}${imports}${emitFace(contract, context, module, [...types, emitErrorOptions(contract.operations, context)], emitTable(contract))}`,
    ],
  ]);
}

function emitSplit(
  contract: Contract,
  handled: readonly Operation[],
  context: Context,
  { source, module }: Placed,
): ReadonlyMap<string, string> {
  const header = emitHeader(source);
  const parts = toParts(handled);
  const files = new Map([
    ["schemas.ts", `${header}${emitDeclarations(contract.schemas, context).join("\n") || "export {};\n"}`],
  ]);
  for (const [file, operations] of parts) {
    const emit = (inner: Context) => operations.map((operation) => emitOperationTypes(operation, inner));
    files.set(file, `${header}${emitPart("../schemas.js", operations, context, emit)}`);
  }
  if (contract.webhooks.length > 0) {
    const emit = (inner: Context) => emitWebhooks(contract.webhooks, inner);
    files.set("webhooks.ts", `${header}${emitPart("./schemas.js", [], context, emit)}`);
  }
  const table = `${emitImport("tenon/runtime", [TABLE_TYPE])}\n${emitTable(contract)}`;

  const { names, used } = recordNames(context.names);
  const errorOptions = emitErrorOptions(contract.operations, { ...context, names });
  const imports = [
    LOCATIONS[module].imports,
    emitImport("tenon/runtime", [
      ...FACE.filter((name) => name !== TABLE_TYPE),
      ...(handled.length > 0 ? ["type Reply"] : []),
    ]),
    emitImport(
      "./schemas.js",
      [...used].map((name) => `type ${name}`),
    ),
    ...[...parts].map(([file, operations]) =>
      emitImport(
        toModule(file),
        operations.flatMap((operation) => [
          `type ${names.request(operation)}`,
          `type ${names.replies(operation)}`,
        ]),
      ),
    ),
    emitImport(toModule(TABLE_FILE), ["operations"]),
    "\n",
    ...[...files.keys()].map((file) => `export type * from ${emitValue(toModule(file))};\n`),
    "export { operations };\n",
  ];
  return new Map([
    ["server.ts", `${header}${imports.join("")}${emitFace(contract, context, module, [errorOptions])}`],
    // By itself, because the compiler is slow with it, and it changes less often than the types that server.ts imports.
    [TABLE_FILE, `${header}${table}`],
    ...files,
  ]);
}

function toModule(file: string): string {
  return `./${file.replace(/\.ts$/, ".js")}`;
}

function emitTable({ operations }: Contract): string {
  return `export const operations = ${emitOperationTable(operations)} as const satisfies readonly OperationDescriptor[];\n`;
}

/**
 * What follows the imports of server.ts.
 * @param table Empty where another file has it.
 */
function emitFace(
  { basePath, operations }: Contract,
  { names }: Context,
  module: ModuleKind,
  types: readonly string[],
  table = "",
): string {
  return `
/** The bundled contract beside this file; the runtime reads and enforces it. */
export const contractUrl = ${LOCATIONS[module].contractUrl};

/** Path that the contract's servers share; every operation's path is below it. */
export const basePath = ${emitValue(basePath)};

${[...types, emitPrincipals(operations), emitHandlers(operations, names), table].filter((part) => part !== "").join("\n")}
export type OperationId = (typeof operations)[number]["id"];

/** The contract as an Express middleware: mount it with \`app.use\`. Every operation needs a handler. */
export function createApi<Context extends object, P extends Principals>(
  options: ApiOptions<Handlers<Context, P>, Context, P> & ErrorOptions,
): ContractRouter {
  return createContractRouter({ basePath, operations, contractUrl }, options);
}

/** The same while handlers are yet to be written: their operations answer as \`unimplemented\` says. */
export function createPartialApi<Context extends object, P extends Principals>(
  options: PartialApiOptions<Handlers<Context, P>, Context, P> & ErrorOptions,
): ContractRouter {
  return createContractRouter({ basePath, operations, contractUrl }, options);
}
`;
}
