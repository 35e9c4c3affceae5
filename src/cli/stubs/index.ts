import { relative, sep } from "node:path";
import { type Operation, toIdentifier } from "tenon/core/model";
import { groupBy } from "../generate/group-by.js";
import { DEVICE, MAX_LENGTH } from "../generate/server/parts.js";
import {
  emitHandlerContext,
  emitHandlerFile,
  emitHandlerImport,
  emitHandlerImports,
  emitHandlerIndex,
  emitHandlerObject,
  emitHandlerStubs,
  type HandlerModule,
  type HandlerObject,
  type StubOptions,
} from "../generate/stubs.js";
import {
  type Place,
  readWrittenFiles,
  toModule,
  type WrittenFile,
  type WrittenObject,
} from "./written-handlers.js";
import { emitImport, type ImportExtension, withImportExtension } from "../generate/text.js";

export { type MissingCode, readWrittenFiles };

/** A file that does not exist yet. */
export interface NewFile {
  /** Relative to the folder of handlers: `pets.ts`. */
  readonly name: string;
  readonly text: string;
}

export interface StubSurroundings {
  /** Absolute path of the folder of handlers. */
  readonly folder: string;
  /** Absolute path of the folder of generated files. */
  readonly output: string;
  readonly written: readonly WrittenFile[];
  /** Extension of imports in new code. */
  readonly importExtension?: ImportExtension | undefined;
}

export interface StubPlan {
  readonly create: readonly NewFile[];
  readonly missing: readonly MissingCode[];
  readonly orphans: readonly Orphan[];
}

/** A handler whose operation was removed or renamed. */
export interface Orphan {
  /** File with the handler, relative to the folder of handlers. */
  readonly name: string;
  readonly handler: string;
  /** Likely new name of its operation: the only operation without a handler. Undefined if there are several orphans or operations. */
  readonly renamedTo: string | undefined;
}

/** Plans the missing files of handlers, one for each tag. Existing files are never written. */
export function planStubs(
  operations: readonly Operation[],
  { folder, output, written, importExtension }: StubSurroundings,
): StubPlan {
  const options: StubOptions = { server: `${relative(folder, output).split(sep).join("/")}/server.js` };
  const handled = operations.filter(({ stub }) => !stub);
  const unhandled = handled.filter(({ id }) => !written.some(({ members }) => members.has(id)));

  const create: NewFile[] = [];
  const missing: MissingCode[] = [];
  const modules = findModules(handled, written);
  // Similar tags share a file.
  const byFile = groupBy(unhandled, ({ tags: [tag = "operations"] }) => toFileName(tag));
  for (const [base, members] of byFile) {
    const name = `${base}.ts`;
    const object = { exported: `${toIdentifier(base)}Handlers`, tag: members[0]?.tags[0] };
    const file = written.find((other) => other.name === name);
    if (file === undefined) {
      create.push({ name, text: emitHandlerFile(members, { ...options, ...object }) });
      modules.push({ specifier: `./${base}.js`, exported: object.exported });
      continue;
    }
    const { code, added } = addHandlers(file, members, { ...options, ...object, handled });
    missing.push(code);
    if (added !== undefined) modules.push({ specifier: `./${base}.js`, exported: added });
  }

  if (create.length + missing.length > 0 && !written.some(({ name }) => name === "context.ts"))
    create.push({ name: "context.ts", text: emitHandlerContext(options) });
  const index = written.find(({ name }) => name === "index.ts");
  if (index === undefined) {
    // A single object with all handlers needs no index.
    if (modules.length > 1 || create.length > 0)
      create.push({ name: "index.ts", text: emitHandlerIndex(modules, options) });
  } else {
    const others = modules.filter((module) => !isCombined(module, index));
    if (others.length > 0) missing.push(addToIndex(index, others));
  }
  const orphans = findOrphans(operations, unhandled, written);
  const withExtension = <Code extends { readonly text: string }>(code: Code): Code => ({
    ...code,
    text: withImportExtension(code.text, importExtension),
  });
  return {
    create: create.map(withExtension),
    missing: missing.map((code) => ({ ...code, insert: code.insert.map(withExtension) })),
    orphans,
  };
}

/** @param unhandled The operations that lack a handler. */
function findOrphans(
  operations: readonly Operation[],
  unhandled: readonly Operation[],
  written: readonly WrittenFile[],
): readonly Orphan[] {
  const ids = new Set(operations.map(({ id }) => id));
  const found = written.flatMap(({ name, exported }) =>
    [...exported].flatMap(([object, { members }]) =>
      object.endsWith("Handlers") || [...members].some((member) => ids.has(member))
        ? [...members].filter((member) => !ids.has(member)).map((handler) => ({ name, handler }))
        : [],
    ),
  );
  const renamedTo = found.length === 1 && unhandled.length === 1 ? unhandled[0]?.id : undefined;
  return found.map((orphan) => ({ ...orphan, renamedTo }));
}

/** Exported objects with a handler of this contract, except those that another object combines. */
function findModules(operations: readonly Operation[], written: readonly WrittenFile[]): HandlerModule[] {
  return written.flatMap(({ name, exported }) =>
    [...exported].flatMap(([object, { members, used }]) => {
      if (name === "index.ts" || used || !operations.some(({ id }) => members.has(id))) return [];
      return [{ specifier: `./${name.split(sep).join("/").replace(/\.ts$/, ".js")}`, exported: object }];
    }),
  );
}

/** An unused import does not combine anything. */
function isCombined({ specifier, exported }: HandlerModule, { imports }: WrittenFile): boolean {
  return imports.some(
    ({ module, name, used }) => used && module === toModule(specifier) && (name === exported || name === "*"),
  );
}

/** Name of a tag's file without its extension: `Pet Store` becomes `pet-store`; the names of the two other files become `index-tag` and `context-tag`. */
function toFileName(tag: string): string {
  const words = tag.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const name = Array.from(words.filter((word) => word !== "").join("-"))
    .slice(0, MAX_LENGTH)
    .join("");
  if (name === "index" || name === "context" || DEVICE.test(name)) return `${name}-tag`;
  return name || "operations";
}

/** The code that an existing file is missing. */
interface MissingCode {
  /** Relative to the folder of handlers: `pets.ts`. */
  readonly name: string;
  /** Operations without a handler; for index.ts, the objects that it does not combine. */
  readonly missing: readonly string[];
  /** From the last place to the first, so that pasting one does not move the others. */
  readonly insert: readonly Insertion[];
}

/** Code to insert into a file. */
interface Insertion {
  /** Undefined where the file's syntax does not show it. */
  readonly at: Place | undefined;
  /** In words: `at the end of petsHandlers`. */
  readonly where: string;
  readonly text: string;
}

/**
 * Adds handlers to an existing file: to its object of handlers, else as a new object.
 * @param handled Every operation that has a handler.
 * @returns The code to insert, and the name of the new object if there is one.
 */
function addHandlers(
  file: WrittenFile,
  operations: readonly Operation[],
  {
    handled,
    server,
    exported,
    tag,
  }: StubOptions & HandlerObject & { readonly handled: readonly Operation[] },
): { readonly code: MissingCode; readonly added: string | undefined } {
  const { name, names, end } = file;
  const missing = operations.map(({ id }) => id);
  const found = [...file.exported].find(
    ([key, { members }]) => key === exported || handled.some(({ id }) => members.has(id)),
  );
  if (found !== undefined) {
    const imports = isImported(file, "HttpError") ? "" : emitImport("tenon/runtime", ["HttpError"]);
    const insert = [
      addMembers(found, `\n${emitHandlerStubs(operations, found[1].isTyped)}`),
      ...addImports(file, imports),
    ];
    return { code: { name, missing, insert }, added: undefined };
  }
  let added = exported;
  while (names.has(added)) added += "_";
  const imports = emitHandlerImports({ server }, new Set(file.imports.map(({ local }) => local)));
  const text = `\n${emitHandlerObject(operations, { exported: added, tag })}`;
  const insert = [{ at: end, where: "at the end", text }, ...addImports(file, imports)];
  return { code: { name, missing, insert }, added };
}

/** Adds objects of handlers to those that index.ts combines, with the imports that it does not have. */
function addToIndex(index: WrittenFile, modules: readonly HandlerModule[]): MissingCode {
  const spreads = modules.map(({ exported }) => `  ...${exported},\n`).join("");
  const imports = modules
    .filter(({ exported }) => !isImported(index, exported))
    .map(emitHandlerImport)
    .join("");
  const found = [...index.exported].find(([, object]) => object.spreads);
  return {
    name: index.name,
    missing: modules.map(({ exported }) => exported),
    insert: [
      found === undefined
        ? { at: undefined, where: "where handlers are combined", text: spreads }
        : addMembers(found, spreads),
      ...addImports(index, imports),
    ],
  };
}

function addMembers([name, { end, wantsComma }]: readonly [string, WrittenObject], text: string): Insertion {
  const before = wantsComma ? ",\n" : end.column > 1 ? "\n" : "";
  return { at: end, where: `at the end of ${name}`, text: before + text };
}

function addImports({ start }: WrittenFile, text: string): readonly Insertion[] {
  return text === "" ? [] : [{ at: start, where: "above the imports", text }];
}

function isImported({ imports }: WrittenFile, local: string): boolean {
  return imports.some((found) => found.local === local);
}
