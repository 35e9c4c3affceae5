import type { Contract, Operation } from "tenon/core/model";
import { GENERATED_VERSION } from "tenon/core/version";
import { describeOperation } from "tenon/runtime/internal";
import { emitErrorOptions } from "./error-options.js";
import { emitHandlers, emitPrincipals } from "./handlers.js";
import { createNames } from "./names.js";
import { emitOperationTypes } from "./operation-types.js";
import { emitCallbacks, emitImports, emitPart, emitWebhooks, toParts } from "./parts.js";
import { type Context, emitDeclarations } from "./schema-type.js";
import {
  emitExpanded,
  emitHeader,
  emitImport,
  type EmitOptions,
  type EmitProblem,
  emitValue,
  type ModuleKind,
} from "../text.js";
import { findViews } from "./views.js";

/** Default for the largest number of operations whose types are all in server.ts. */
const SPLIT_ABOVE = 100;

const TABLE_TYPE = "type OperationDescriptor";

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

/** File of the table of operations in a large contract. */
const TABLE_FILE = "operation-table.ts";

interface EmittedServer {
  /** Texts by path within the output folder; the separator is `/`. */
  readonly files: ReadonlyMap<string, string>;
  readonly renamed: readonly EmitProblem[];
}

/** The parts that depend on whether server.ts contains all types. */
interface ServerParts {
  readonly imports: string;
  /** Declarations of server.ts. */
  readonly types: readonly string[];
  /** Empty if another file contains the table. */
  readonly table: string;
  /** Texts of the other files, without their headers. */
  readonly others: ReadonlyMap<string, string>;
}

/**
 * Emits server.ts: the types of handlers, and the table of operations. It has no logic besides the call of the runtime. For a
 * large contract the types are in schema-types.ts and in one file per tag, `operations/pets.ts`; server.ts exports them, so imports from
 * it stay the same.
 */
export function emitServer(
  contract: Contract,
  { source, split = contract.operations.length > SPLIT_ABOVE, module = "esm" }: EmitOptions,
): EmittedServer {
  const handled = contract.operations.filter(({ stub }) => !stub);
  const context = createContext(contract, handled);
  const { others, ...parts } = (split ? emitSplit : emitWhole)(contract, handled, context);
  const server = `${LOCATIONS[module].imports}${parts.imports}${emitBody(contract, context, module, parts)}`;
  const texts = [["server.ts", server], ...others] as const;
  const header = emitHeader(source);
  return {
    files: new Map(texts.map(([file, text]) => [file, header + text])),
    renamed: context.names.listRenamed(),
  };
}

/** Creates the context of the types of a contract. */
export function createContext(
  { schemas: components, operations, registry }: Contract,
  handled: readonly Operation[],
): Context {
  const used = operations.flatMap(({ parameters, requestBody }) => [
    ...parameters,
    ...(requestBody?.mediaTypes.map(({ items, ...mediaType }) => items ?? mediaType) ?? []),
  ]);
  const views = findViews(
    registry,
    components.map(({ reference }) => reference),
    used.flatMap(({ schema }) => schema ?? []),
  );
  return { registry, views, names: createNames(components, handled, views) };
}

function emitWhole(contract: Contract, handled: readonly Operation[], context: Context): ServerParts {
  const operationTypes = handled.map((operation) => emitOperationTypes(operation, context));
  return {
    imports: emitImports(handled, RUNTIME_IMPORTS) + emitWebhookImport(contract),
    types: [
      ...emitDeclarations(contract.schemas, context),
      ...operationTypes,
      ...emitWebhooks(contract.webhooks, context),
      ...emitCallbacks(handled, context),
      emitWebhookContract(contract),
      emitErrorOptions(contract.operations, context),
    ],
    table: emitTable(contract),
    others: new Map(),
  };
}

function emitSplit(contract: Contract, handled: readonly Operation[], context: Context): ServerParts {
  const parts = toParts(handled);
  const files = new Map([["schema-types.ts", ""]]);
  for (const [file, operations] of parts) {
    const emit = (inner: Context) => operations.map((operation) => emitOperationTypes(operation, inner));
    files.set(file, emitPart("../schema-types.js", operations, context, emit));
  }
  files.set("schema-types.ts", emitDeclarations(contract.schemas, context).join("\n") || "export {};\n");
  if (contract.webhooks.length > 0) {
    const emit = (inner: Context) => emitWebhooks(contract.webhooks, inner);
    files.set("webhooks.ts", emitPart("./schema-types.js", [], context, emit));
  }
  const table = `${emitImport("tenon/runtime", [TABLE_TYPE])}\n${emitTable(contract)}`;

  const used = new Set<string>();
  const { names } = context;
  const errorOptions = emitErrorOptions(contract.operations, { ...context, names: names.record(used) });
  const runtime = RUNTIME_IMPORTS.filter((name) => name !== TABLE_TYPE);
  const schemas = [...used].map((name) => `type ${name}`);
  const imports = [
    emitImport("tenon/runtime", [...runtime, ...(handled.length > 0 ? ["type Reply"] : [])]),
    emitWebhookImport(contract),
    emitImport("./schema-types.js", schemas),
    ...[...parts].map(([file, operations]) =>
      emitImport(
        toModule(file),
        operations.flatMap((operation) => [
          `type ${names.request(operation)}`,
          `type ${names.replies(operation)}`,
          ...(operation.callbacks.length > 0 ? [`type ${names.callbacks(operation)}`] : []),
        ]),
      ),
    ),
    emitImport("./webhooks.js", contract.webhooks.length > 0 ? ["type Webhooks"] : []),
    emitImport(toModule(TABLE_FILE), ["operations"]),
    "\n",
    ...[...files.keys()].map((file) => `export type * from ${emitValue(toModule(file))};\n`),
    "export { operations };\n",
  ];
  return {
    imports: imports.join(""),
    types: [...emitCallbacks(handled, context), emitWebhookContract(contract), errorOptions],
    table: "",
    // The table has its own file, because it is slow to compile and changes less often than the types that server.ts imports.
    others: new Map([[TABLE_FILE, table], ...files]),
  };
}

function sendsRequests({ webhooks, operations }: Contract): boolean {
  return webhooks.length > 0 || operations.some(({ stub, callbacks }) => !stub && callbacks.length > 0);
}

function emitWebhookImport(contract: Contract): string {
  return emitImport("tenon/webhooks", sendsRequests(contract) ? ["type WebhookContract"] : []);
}

/** Emits `webhooks`, from which receivers and senders are created; an empty text if the service sends no requests. */
function emitWebhookContract(contract: Contract): string {
  if (!sendsRequests(contract)) return "";
  const webhooks = contract.webhooks.length > 0 ? "Webhooks" : "{}";
  const hasCallbacks = contract.operations.some(({ stub, callbacks }) => !stub && callbacks.length > 0);
  return `/** The webhooks and callbacks, for receivers and senders of \`tenon/webhooks\`. */
export const webhooks: WebhookContract<${webhooks}, ${hasCallbacks ? "Callbacks" : "{}"}> = {
  tenon: ${emitValue(GENERATED_VERSION)},
  contractUrl,
};
`;
}

function toModule(file: string): string {
  return `./${file.replace(/\.ts$/, ".js")}`;
}

/** Emits the descriptions of all operations for the service, as an array of `OperationDescriptor`. */
function emitTable({ operations }: Contract): string {
  const rows = operations.map((operation) => `  ${emitExpanded(describeOperation(operation), "  ")},\n`);
  const table = rows.length === 0 ? "[]" : `[\n${rows.join("")}]`;
  return `export const operations = ${table} as const satisfies readonly OperationDescriptor[];\n`;
}

function emitBody(
  contract: Contract,
  { names }: Context,
  module: ModuleKind,
  { types, table }: Pick<ServerParts, "types" | "table">,
): string {
  const { basePath, operations } = contract;
  return `
/** URL of the bundled contract, which the runtime reads and enforces. */
export const contractUrl = ${LOCATIONS[module].contractUrl};

/** Base path of all operations, from the contract's servers. */
export const basePath = ${emitValue(basePath)};

${[...types, emitPrincipals(contract), emitHandlers(operations, names), table].filter((part) => part !== "").join("\n")}
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
