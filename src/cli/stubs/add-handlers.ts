import type { Operation } from "tenon/core/model";
import {
  emitHandlerImport,
  emitHandlerImports,
  emitHandlerObject,
  emitHandlerStubs,
  type HandlerModule,
  type HandlerObject,
  type StubOptions,
} from "../generate/stubs.js";
import { emitImport } from "../generate/text.js";
import type { Place, WrittenFile, WrittenObject } from "./written-handlers.js";

/** The code that an existing file is missing. */
export interface MissingCode {
  /** Relative to the folder of handlers: `pets.ts`. */
  readonly name: string;
  /** Operations without a handler; for index.ts, the objects that it does not combine. */
  readonly missing: readonly string[];
  /** From the last place to the first, so that pasting one does not move the others. */
  readonly insert: readonly Insertion[];
}

/** Code to insert into a file. */
export interface Insertion {
  /** Undefined where the file's syntax does not show it. */
  readonly at: Place | undefined;
  /** In words: `at the end of petsHandlers`. */
  readonly where: string;
  readonly text: string;
}

export interface AddOptions extends StubOptions, HandlerObject {
  /** Every operation that has a handler. */
  readonly handled: readonly Operation[];
}

/**
 * Adds handlers to an existing file: to its object of handlers, else as a new object.
 * @returns The code to insert, and the name of the new object if there is one.
 */
export function addHandlers(
  file: WrittenFile,
  operations: readonly Operation[],
  { handled, server, exported, tag }: AddOptions,
): { readonly code: MissingCode; readonly added: string | undefined } {
  const { name, names, end } = file;
  const missing = operations.map(({ id }) => id);
  const found = [...file.exported].find(
    ([key, { members }]) => key === exported || handled.some(({ id }) => members.has(id)),
  );
  if (found !== undefined) {
    const imports = isImported(file, "HttpError") ? "" : emitImport("tenon/runtime", ["HttpError"]);
    const insert = [addMembers(found, `\n${emitHandlerStubs(operations)}`), ...addImports(file, imports)];
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
export function addToIndex(index: WrittenFile, modules: readonly HandlerModule[]): MissingCode {
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
