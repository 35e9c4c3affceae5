import type { Contract, Operation } from "tenon/core/model";
import { GENERATED_VERSION } from "tenon/core/version";
import { emitErrorOptions } from "./error-options.js";
import { emitHandlers, emitPrincipals } from "./handlers.js";
import { createNames, recordNames, type Renamed } from "./names.js";
import { emitOperationTable } from "./operation-table.js";
import { emitOperationTypes } from "./operation-types.js";
import { emitImports, emitPart, emitWebhooks, operationImports, toParts } from "./parts.js";
import { emitDeclarations, type TypeContext } from "./schema-type.js";
import { emitHeader, emitImport, type EmitOptions, emitValue, type ModuleKind } from "../text.js";
import { findViews } from "./views.js";

type Context = Omit<TypeContext, "view">;

/** Default for the largest number of operations whose types are all in server.ts. */
const SPLIT_ABOVE = 100;

/** Import from the runtime for the table of operations. */
const TABLE_TYPE = "type OperationDescriptor";

/** Imports from the runtime that server.ts always needs. */
const RUNTIME_IMPORTS = [
  "createContractRouter",
  "type ApiOptions",
  "type ContractRouter",
  "type FailureOptions",
  "type MakeErrorBody",
  TABLE_TYPE,
  "type PartialApiOptions",
];

/** The expression for the URL of contract.json and its imports, by module system. */
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

/** File of the table of operations in a large contract. */
const TABLE_FILE = "operation-table.ts";

export interface EmittedServer {
  /** Texts by path within the output folder; the separator is `/`. */
  readonly files: ReadonlyMap<string, string>;
  readonly renamed: readonly Renamed[];
}

/**
 * Emits server.ts: the types of handlers, and the table of operations. It has no logic besides the call of the runtime. For a
 * large contract the types are in schemas.ts and in one file per tag, `operations/pets.ts`; server.ts exports them, so imports from
 * it stay the same.
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
  { schemas: components, operations, registry }: Contract,
  handled: readonly Operation[],
): Context {
  const used = operations.flatMap(({ parameters, requestBody }) => [
    ...parameters,
    ...(requestBody?.mediaTypes ?? []),
  ]);
  const views = findViews(
    registry,
    components.map(({ reference }) => reference),
    used.flatMap(({ schema }) => schema ?? []),
  );
  return { registry, views, names: createNames(components, handled, views) };
}

function emitWhole(
  contract: Contract,
  handled: readonly Operation[],
  context: Context,
  { source, module }: Placed,
): ReadonlyMap<string, string> {
  const { node, runtime } = operationImports(handled);
  const imports =
    LOCATIONS[module].imports + emitImports({ node, runtime: [...RUNTIME_IMPORTS, ...runtime] });
  const types = [
    ...emitDeclarations(contract.schemas, context),
    ...handled.map((operation) => emitOperationTypes(operation, context)),
    ...emitWebhooks(contract.webhooks, context),
  ];
  return new Map([
    [
      "server.ts",
      `${emitHeader(source)}${imports}${emitBody(contract, context, module, [...types, emitErrorOptions(contract.operations, context)], emitTable(contract))}`,
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
      ...RUNTIME_IMPORTS.filter((name) => name !== TABLE_TYPE),
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
    ["server.ts", `${header}${imports.join("")}${emitBody(contract, context, module, [errorOptions])}`],
    // In its own file, because it is slow to compile and changes less often than the types that server.ts imports.
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
 * Emits the part of server.ts that follows its imports.
 * @param table Empty if another file contains it.
 */
function emitBody(
  { basePath, operations }: Contract,
  { names }: Context,
  module: ModuleKind,
  types: readonly string[],
  table = "",
): string {
  return `
/** URL of the bundled contract, which the runtime reads and enforces. */
export const contractUrl = ${LOCATIONS[module].contractUrl};

/** Base path of all operations, from the contract's servers. */
export const basePath = ${emitValue(basePath)};

${[...types, emitPrincipals(operations), emitHandlers(operations, names), table].filter((part) => part !== "").join("\n")}
export type OperationId = (typeof operations)[number]["id"];

/** Creates an Express router that enforces the contract: mount it with \`app.use\`. Every operation needs a handler. */
export function createApi<Context extends object, P extends Principals>(
  options: ApiOptions<Handlers<Context, P>, Context, P> & ErrorOptions,
): ContractRouter {
  return createContractRouter({ tenon: ${emitValue(GENERATED_VERSION)}, operations, contractUrl }, options);
}

/** Creates the same router with some handlers missing: their operations respond as \`unimplemented\` specifies. */
export function createPartialApi<Context extends object, P extends Principals>(
  options: PartialApiOptions<Handlers<Context, P>, Context, P> & ErrorOptions,
): ContractRouter {
  return createContractRouter({ tenon: ${emitValue(GENERATED_VERSION)}, operations, contractUrl }, options);
}
`;
}
