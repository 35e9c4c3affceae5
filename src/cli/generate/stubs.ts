import { type Operation, toIdentifier } from "tenon/core/model";
import { REQUEST_MEMBERS } from "./server/parameter-types.js";
import { emitComment, emitImport, emitKey, emitValue, LINE_WIDTH } from "./text.js";

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

/**
 * Emits only the handlers, as members of an object:
 * ```
 *   /** GET /notes/{noteId} · Get a note *\/
 *   getNote({ path: { noteId } }, reply) {
 *     void [noteId, reply]; // Not used yet.
 *     throw new HttpError("not_implemented");
 *   },
 * ```
 * @param isTyped False if the object has no type that its members' parameters get theirs from; they are left out then.
 */
export function emitHandlerStubs(operations: readonly Operation[], isTyped = true): string {
  return operations
    .map((operation) => {
      const { id, method, path, summary } = operation;
      const title = `${method.toUpperCase()} ${path}${summary === undefined ? "" : ` · ${summary}`}`;
      const comment = emitComment([title], "  ");
      // A handler called like a member of every object has no single type.
      if (!isTyped || Object.hasOwn(Object.prototype, id))
        return `${comment}  ${emitKey(id)}() {\n    throw new HttpError("not_implemented");\n  },\n`;
      const { parts, names } = emitRequestPattern(operation);
      const request = parts.length === 0 ? "_request" : `{ ${parts.join(", ")} }`;
      const line = `  ${emitKey(id)}(${request}, reply) {\n`;
      const members = parts.map((part) => `      ${part},\n`).join("");
      const head =
        line.length <= LINE_WIDTH ? line : `  ${emitKey(id)}(\n    {\n${members}    },\n    reply,\n  ) {\n`;
      // The compiler and linters report parameters that are not used.
      const used = `    void ${names.length === 0 ? "reply" : `[${[...names, "reply"].join(", ")}]`}; // Not used yet.\n`;
      return `${comment}${head}${used}    throw new HttpError("not_implemented");\n  },\n`;
    })
    .join("\n");
}

/** Words that cannot name a variable, and the other names in a handler. */
const TAKEN = new Set(
  "arguments await body break case catch class const continue debugger default delete do else enum eval export extends false finally for function HttpError if implements import in instanceof interface let new null package private protected public reply return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);

/** Emits the parts of a pattern for a request: `path: { petId }`, `headers: { "x-trace": xTrace }`, `body`. */
function emitRequestPattern({ parameters, requestBody }: Operation): {
  readonly parts: readonly string[];
  readonly names: readonly string[];
} {
  const taken = new Set(TAKEN);
  const names: string[] = [];
  const parts = Object.entries(REQUEST_MEMBERS).flatMap(([place, group]) => {
    const members = parameters.flatMap(({ name, in: own }) => {
      if (own !== place) return [];
      const key = emitKey(place === "header" ? name.toLowerCase() : name);
      let local = toIdentifier(name);
      while (taken.has(local)) local += "_";
      taken.add(local);
      names.push(local);
      return [key === local ? key : `${key}: ${local}`];
    });
    return members.length === 0 ? [] : [`${group}: { ${members.join(", ")} }`];
  });
  if (requestBody !== undefined) {
    parts.push("body");
    names.push("body");
  }
  return { parts, names };
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
