import type { Operation } from "tenon/core/model";
import { emitComment, emitImport, emitKey, emitValue } from "./text.js";

/** Location of the generated types that handlers import. */
export interface StubOptions {
  /** Module specifier of the generated server.ts: `../../generated/v1/server.js`. */
  readonly server: string;
}

/** A file of handlers that index.ts imports. */
export interface HandlerModule {
  /** Module specifier: `./pets.js`. */
  readonly specifier: string;
  /** Name of its exported object: `petsHandlers`. */
  readonly exported: string;
}

const TYPE = "Handlers<HandlerContext, ServicePrincipals>";

/** An exported object of handlers. */
export interface HandlerObject {
  /** Name of the export: `petsHandlers`. */
  readonly exported: string;
  /** Tag of its operations; undefined for operations without a tag. */
  readonly tag: string | undefined;
}

/**
 * Emits a file of handlers that throw. The runtime turns the error into the contract's own error body, which a generated literal
 * might not match.
 */
export function emitHandlerFile(
  operations: readonly Operation[],
  options: StubOptions & HandlerObject,
): string {
  return `${emitHandlerImports(options)}\n${emitHandlerObject(operations, options)}`;
}

/**
 * Emits the imports of a file with an object of handlers.
 * @param has Names that the file already imports.
 */
export function emitHandlerImports({ server }: StubOptions, has: ReadonlySet<string> = new Set()): string {
  const lacking = (...names: readonly string[]) =>
    names.filter((name) => !has.has(name.replace("type ", "")));
  return [
    emitImport("tenon/runtime", lacking("HttpError", "type PartialHandlers")),
    emitImport(server, lacking("type Handlers")),
    emitImport("./context.js", lacking("type HandlerContext", "type ServicePrincipals")),
  ].join("");
}

/**
 * Emits an exported object of handlers. Its type lists no operations, so that adding a handler only adds a member; index.ts asserts
 * that every operation has a handler.
 */
export function emitHandlerObject(
  operations: readonly Operation[],
  { exported, tag }: HandlerObject,
): string {
  const what =
    tag === undefined
      ? "Handlers for operations without a tag."
      : `Handlers for operations with the tag ${emitValue(tag)}.`;
  return `${emitComment([what])}export const ${exported} = {
${emitHandlerStubs(operations)}} satisfies PartialHandlers<${TYPE}>;
`;
}

/** Emits only the handlers, as members of an object. */
export function emitHandlerStubs(operations: readonly Operation[]): string {
  return operations
    .map(({ id, method, path, summary }) => {
      const title = `${method.toUpperCase()} ${path}${summary === undefined ? "" : ` · ${summary}`}`;
      return `${emitComment([title], "  ")}  ${emitKey(id)}() {\n    throw new HttpError("not_implemented");\n  },\n`;
    })
    .join("\n");
}

/** Emits context.ts: two types for the service to edit. */
export function emitHandlerContext({ server }: StubOptions): string {
  return `import type { Principals } from ${emitValue(server)};

/** The dependencies of every handler, such as a store. The option \`context\` of \`createApi\` creates it. */
export interface HandlerContext {}

/** The caller: the result of the authenticator of each security scheme. */
export type ServicePrincipals = Principals;
`;
}

/** Emits index.ts, which combines all handlers. */
export function emitHandlerIndex(modules: readonly HandlerModule[], { server }: StubOptions): string {
  const spreads = modules.map(({ exported }) => `  ...${exported},\n`).join("");
  return `import type { Handlers } from ${emitValue(server)};
import type { HandlerContext, ServicePrincipals } from "./context.js";
${modules.map(emitHandlerImport).join("")}
/** A handler for every operation. */
export const handlers: ${TYPE} = {
${spreads}};
`;
}

export function emitHandlerImport({ exported, specifier }: HandlerModule): string {
  return `import { ${exported} } from ${emitValue(specifier)};\n`;
}
