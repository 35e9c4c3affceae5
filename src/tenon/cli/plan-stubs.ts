import { relative, sep } from "node:path";
import { toIdentifier } from "../contract/identifier.js";
import type { Operation } from "../contract/model.js";
import {
  emitHandlerContext,
  emitHandlerFile,
  emitHandlerImport,
  emitHandlerIndex,
  emitHandlerStubs,
  type HandlerModule,
} from "../emit/stubs.js";
import type { WrittenFile } from "./written-handlers.js";

/** A file that can be written, because there is none of its name. */
export interface NewFile {
  /** Relative to the folder of handlers: `pets.ts`. */
  readonly name: string;
  readonly text: string;
}

/** What a file that somebody wrote lacks. */
export interface Lack {
  /** Relative to the folder of handlers: `pets.ts`. */
  readonly name: string;
  /** Operations without a handler; for index.ts the objects that it does not combine. */
  readonly missing: readonly string[];
  /** What to paste. */
  readonly snippet: string;
}

export interface StubPlan {
  readonly create: readonly NewFile[];
  readonly lacks: readonly Lack[];
}

export interface StubSurroundings {
  /** Absolute path of the folder of handlers. */
  readonly folder: string;
  /** Absolute path of the folder of generated files. */
  readonly output: string;
  readonly written: readonly WrittenFile[];
}

/** Decides which files of handlers to write: those that are missing, one for each tag. A written file is never among them. */
export function planStubs(operations: readonly Operation[], surroundings: StubSurroundings): StubPlan {
  const { folder, output, written } = surroundings;
  const server = `${relative(folder, output).split(sep).join("/")}/server.js`;
  const handled = operations.filter(({ stub }) => !stub);
  const missing = handled.filter(({ id }) => !written.some(({ members }) => members.has(id)));

  const create: NewFile[] = [];
  const lacks: Lack[] = [];
  const modules = findModules(handled, written);
  for (const [base, members] of groupByFile(missing)) {
    const name = `${base}.ts`;
    if (written.some((file) => file.name === name)) {
      lacks.push({ name, missing: members.map(({ id }) => id), snippet: emitHandlerStubs(members) });
      continue;
    }
    const exported = `${toIdentifier(base)}Handlers`;
    const tag = members[0]?.tag;
    create.push({ name, text: emitHandlerFile(members, { server, exported, tag }) });
    modules.push({ specifier: `./${base}.js`, exported });
  }

  if (create.length > 0 && !written.some(({ name }) => name === "context.ts"))
    create.push({ name: "context.ts", text: emitHandlerContext({ server }) });
  const index = written.find(({ name }) => name === "index.ts");
  if (index === undefined) {
    if (modules.length > 0) create.push({ name: "index.ts", text: emitHandlerIndex(modules, { server }) });
  } else {
    const others = modules.filter(({ specifier }) => !index.imports.includes(specifier));
    if (others.length > 0) lacks.push(toIndexLack(others));
  }
  return { create, lacks };
}

/** Objects that are exported already and hold a handler of this contract. */
function findModules(operations: readonly Operation[], written: readonly WrittenFile[]): HandlerModule[] {
  return written.flatMap(({ name, exported }) =>
    [...exported].flatMap(([object, members]) => {
      if (name === "index.ts" || !operations.some(({ id }) => members.has(id))) return [];
      return [{ specifier: `./${name.split(sep).join("/").replace(/\.ts$/, ".js")}`, exported: object }];
    }),
  );
}

function toIndexLack(modules: readonly HandlerModule[]): Lack {
  const spreads = modules.map(({ exported }) => `  ...${exported},\n`).join("");
  return {
    name: "index.ts",
    missing: modules.map(({ exported }) => exported),
    snippet: modules.map(emitHandlerImport).join("") + spreads,
  };
}

/** Operations by the name of the file that they go to, without its extension. Tags that are written alike share one. */
function groupByFile(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const base = toFileName(operation.tag ?? "operations");
    groups.set(base, [...(groups.get(base) ?? []), operation]);
  }
  return groups;
}

/** `Pet Store` becomes `pet-store`; the names of the two other files become `index-tag` and `context-tag`. */
function toFileName(tag: string): string {
  const words = tag.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const name = words.filter((word) => word !== "").join("-") || "operations";
  return name === "index" || name === "context" ? `${name}-tag` : name;
}
