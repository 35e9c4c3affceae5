import { relative, sep } from "node:path";
import { toIdentifier } from "tenon/core/model/names";
import type { Operation } from "tenon/core/legacy/model";
import {
  emitHandlerContext,
  emitHandlerFile,
  emitHandlerIndex,
  type HandlerModule,
  type StubOptions,
} from "../generate/stubs.js";
import { addHandlers, addToIndex, type Lack } from "./add-handlers.js";
import type { WrittenFile } from "./written-handlers.js";
import { toModule } from "./written-imports.js";

/** A file that can be written, because there is none of its name. */
export interface NewFile {
  /** Relative to the folder of handlers: `pets.ts`. */
  readonly name: string;
  readonly text: string;
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
  const options: StubOptions = { server: `${relative(folder, output).split(sep).join("/")}/server.js` };
  const handled = operations.filter(({ stub }) => !stub);
  const missing = handled.filter(({ id }) => !written.some(({ members }) => members.has(id)));

  const create: NewFile[] = [];
  const lacks: Lack[] = [];
  const modules = findModules(handled, written);
  for (const [base, members] of groupByFile(missing)) {
    const name = `${base}.ts`;
    const object = { exported: `${toIdentifier(base)}Handlers`, tag: members[0]?.tag };
    const file = written.find((other) => other.name === name);
    if (file === undefined) {
      create.push({ name, text: emitHandlerFile(members, { ...options, ...object }) });
      modules.push({ specifier: `./${base}.js`, exported: object.exported });
      continue;
    }
    const { lack, added } = addHandlers(file, members, { ...options, ...object, handled });
    lacks.push(lack);
    if (added !== undefined) modules.push({ specifier: `./${base}.js`, exported: added });
  }

  if (create.length + lacks.length > 0 && !written.some(({ name }) => name === "context.ts"))
    create.push({ name: "context.ts", text: emitHandlerContext(options) });
  const index = written.find(({ name }) => name === "index.ts");
  if (index === undefined) {
    // One object with all the handlers is the whole.
    if (modules.length > 1 || create.length > 0)
      create.push({ name: "index.ts", text: emitHandlerIndex(modules, options) });
  } else {
    const others = modules.filter((module) => !isCombined(module, index));
    if (others.length > 0) lacks.push(addToIndex(index, others));
  }
  return { create, lacks };
}

/** Objects that are exported already and hold a handler of this contract; what another object is made of is none. */
function findModules(operations: readonly Operation[], written: readonly WrittenFile[]): HandlerModule[] {
  return written.flatMap(({ name, exported }) =>
    [...exported].flatMap(([object, { members, used }]) => {
      if (name === "index.ts" || used || !operations.some(({ id }) => members.has(id))) return [];
      return [{ specifier: `./${name.split(sep).join("/").replace(/\.ts$/, ".js")}`, exported: object }];
    }),
  );
}

/** An import alone combines nothing. */
function isCombined({ specifier, exported }: HandlerModule, { imports }: WrittenFile): boolean {
  return imports.some(
    ({ module, name, used }) => used && module === toModule(specifier) && (name === exported || name === "*"),
  );
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
