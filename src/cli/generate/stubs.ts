import type { Operation } from "tenon/core/legacy/model";
import { emitComment, emitImport, emitKey, emitValue } from "./text.js";

/** Where the files of handlers find what they are written against. */
export interface StubOptions {
  /** Module specifier of the generated server.ts: `../../generated/v1/server.js`. */
  readonly server: string;
}

/** One file of handlers as index.ts sees it. */
export interface HandlerModule {
  /** Module specifier: `./pets.js`. */
  readonly specifier: string;
  /** Name of the object that it exports: `petsHandlers`. */
  readonly exported: string;
}

const TYPE = "Handlers<HandlerContext, ServicePrincipals>";

/** An object of handlers, to be exported under a name. */
export interface HandlerObject {
  /** `petsHandlers`. */
  readonly exported: string;
  /** Of all its operations; undefined for those without a tag. */
  readonly tag: string | undefined;
}

/**
 * Emits a file with a handler for each of some operations. Throwing is how a handler says that it is not written: the
 * runtime turns the error into the contract's own error body, which no generated literal could be sure to fit.
 */
export function emitHandlerFile(
  operations: readonly Operation[],
  options: StubOptions & HandlerObject,
): string {
  return `${emitHandlerImports(options)}\n${emitHandlerObject(operations, options)}`;
}

/**
 * Emits the imports of a file with an object of handlers.
 * @param has Names that the file has already.
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
 * Emits an exported object of handlers. It names no operation besides its members, so that one more is one more member; that
 * there is a handler for each is what index.ts states.
 */
export function emitHandlerObject(
  operations: readonly Operation[],
  { exported, tag }: HandlerObject,
): string {
  const what =
    tag === undefined ? "The operations without a tag." : `The operations of the tag ${emitValue(tag)}.`;
  return `${emitComment([what])}export const ${exported} = {
${emitHandlerStubs(operations)}} satisfies PartialHandlers<${TYPE}>;
`;
}

/** Emits the handlers alone, as members of an object. */
export function emitHandlerStubs(operations: readonly Operation[]): string {
  return operations
    .map(({ id, method, path, summary }) => {
      const title = `${method.toUpperCase()} ${path}${summary === undefined ? "" : ` · ${summary}`}`;
      return `${emitComment([title], "  ")}  ${emitKey(id)}() {\n    throw new HttpError("not_implemented");\n  },\n`;
    })
    .join("\n");
}

/** Emits context.ts: the two types that belong to the service. */
export function emitHandlerContext({ server }: StubOptions): string {
  return `import type { Principals } from ${emitValue(server)};

/** What every handler gets besides the request, such as a store: the option \`context\` of \`createApi\` makes it. */
export interface HandlerContext {}

/** Who calls: what the authenticator of each security scheme yields. */
export type ServicePrincipals = Principals;
`;
}

/** Emits index.ts, which combines files of handlers. */
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
