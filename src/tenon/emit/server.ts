import type { Contract, NamedSchema } from "../contract/model.js";
import { emitHandlers, emitPrincipals } from "./handlers.js";
import { contentImports } from "./media-type-types.js";
import { createNames } from "./names.js";
import { emitOperationTable } from "./operation-table.js";
import { emitOperationTypes, hasOptionalHeaders } from "./operation-types.js";
import { emitDeclaration } from "./schema-type.js";
import { emitHeader, type EmitOptions, emitValue } from "./text.js";
import { findViews, type View } from "./views.js";

/**
 * Emits server.ts: the types that handlers are written against, and the table of operations that the runtime enforces.
 * There is no logic in it besides the call of the runtime.
 */
export function emitServer(contract: Contract, { source }: EmitOptions): string {
  const { basePath, operations } = contract;
  const schemas = new Map(contract.schemas.map((named) => [named.name, named]));
  const handled = operations.filter(({ stub }) => !stub);
  const views = findViews(
    schemas,
    operations
      .flatMap(({ parameters, requestBody }) => [...parameters, ...(requestBody?.mediaTypes ?? [])])
      .map(({ schema }) => schema),
  );
  const names = createNames(contract.schemas, handled, views);
  const context = { schemas, names, views };

  const declarations = contract.schemas.flatMap((named) => {
    const wanted: readonly View[] = views.split.has(named.name) ? ["response", "request"] : ["response"];
    return wanted.map((view) => emitDeclaration(named, { ...context, view }));
  });
  const operationTypes = handled.map((operation) => emitOperationTypes(operation, context));
  return `${emitHeader(source)}${emitImports(contract, schemas)}
/** The bundled contract beside this file; the runtime reads and enforces it. */
export const contractUrl = new URL("./contract.json", import.meta.url);

/** Path that the contract's servers share; every operation's path is below it. */
export const basePath = ${emitValue(basePath)};

${[...declarations, ...operationTypes, emitPrincipals(operations), emitHandlers(operations, names)].join("\n")}
export const operations = ${emitOperationTable(operations, schemas)} as const satisfies readonly OperationDescriptor[];

export type OperationId = (typeof operations)[number]["id"];

/** The contract as an Express middleware: mount it with \`app.use\`. Every operation needs a handler. */
export function createApi<Context extends object, P extends Principals>(
  options: ApiOptions<Handlers<Context, P>, Context, P>,
): ContractRouter {
  return createContractRouter({ basePath, operations, contractUrl }, options);
}

/** The same while handlers are yet to be written: their operations answer as \`unimplemented\` says. */
export function createPartialApi<Context extends object, P extends Principals>(
  options: PartialApiOptions<Handlers<Context, P>, Context, P>,
): ContractRouter {
  return createContractRouter({ basePath, operations, contractUrl }, options);
}
`;
}

/** Only what the file uses: the compiler refuses an import that nothing does. */
function emitImports({ operations }: Contract, schemas: ReadonlyMap<string, NamedSchema>): string {
  const handled = operations.filter(({ stub }) => !stub);
  const content = new Set(handled.flatMap((operation) => contentImports(operation, schemas)));
  const names = [
    "createContractRouter",
    ...(content.has("Accepts") ? ["type Accepts"] : []),
    "type ApiOptions",
    "type ContractRouter",
    ...(content.has("FormFile") ? ["type FormFile"] : []),
    "type OperationDescriptor",
    "type PartialApiOptions",
    ...(handled.length > 0 ? ["type Reply"] : []),
    ...(handled.some(hasOptionalHeaders) ? ["type ReplyOptions"] : []),
  ];
  const stream = content.has("Readable") ? 'import type { Readable } from "node:stream";\n' : "";
  return `${stream}import {\n${names.map((name) => `  ${name},\n`).join("")}} from "tenon/runtime";\n`;
}
