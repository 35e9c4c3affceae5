import { getByPointer, isNode, joinPointer, type Problem } from "tenon/core/document";
import { buildContract, toOperationLabel } from "tenon/core/model";
import type { CommandContext } from "../output/context.js";
import { count } from "../output/count.js";
import { MAX_PRINTED, uniqueProblems, writeProblems } from "../output/format-problem.js";
import { countLines, type FileChange } from "../project/index.js";
import type { Plan } from "./generator.js";
import { showPath } from "../output/show-path.js";

/** Prints only the first warnings, on a terminal or not: `tenon lint` prints all. */
export function printWarnings(warnings: readonly Problem[], context: CommandContext): void {
  writeProblems(uniqueProblems(warnings), context.stderr, context, MAX_PRINTED);
}

/** Prints the written files, and below each contract.json the changed operations and components with their API. */
export function printChanges(plans: readonly Plan[], { cwd, stdout }: CommandContext): void {
  for (const { api, changes, stray } of plans) {
    const prefix = plans.length > 1 ? `${api.name}: ` : "";
    for (const change of changes) {
      if (change.kind === "unchanged") continue;
      const { added, removed } = countLines(change.before, change.after);
      stdout.write(`${change.kind}  ${showPath(change.path, cwd)}  +${added} -${removed}\n`);
      for (const line of describeChange(change)) stdout.write(`  ${prefix}${line}\n`);
    }
    for (const path of stray) stdout.write(`stray    ${showPath(path, cwd)}\n`);
  }
  const unchanged = plans.flatMap(({ changes }) => changes).filter(({ kind }) => kind === "unchanged").length;
  if (unchanged > 0) stdout.write(`${count(unchanged, "file")} unchanged\n`);
}

/** Describes the change of a contract.json; empty for another file, and for a new contract, in which everything is new. */
export function describeChange({ path, kind, before, after }: FileChange): readonly string[] {
  return kind === "changed" && path.endsWith("contract.json") ? compareDocuments(before, after) : [];
}

/**
 * Lists the operations and components that differ between two bundled documents: `added operation GET /pets (listPets)`. A change of
 * an operation includes the parameters of its path item, but not the components that it refers to, which are listed separately.
 */
function compareDocuments(before: string, after: string): readonly string[] {
  const old = listParts(before);
  const current = listParts(after);
  const removed = [...old.keys()].filter((name) => !current.has(name)).map((name) => `removed ${name}`);
  const others = [...current].flatMap(([name, text]) => {
    if (!old.has(name)) return [`added ${name}`];
    return old.get(name) === text ? [] : [`changed ${name}`];
  });
  return [...removed, ...others];
}

function listParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const document = parse(text);
  if (!isNode(document)) return parts;
  const { operations, registry } = buildContract(document);
  for (const operation of operations) {
    const { id, hasId, pathItem } = operation;
    const label = `operation ${toOperationLabel(operation)}${hasId ? ` (${id})` : ""}`;
    const pointers = [operation.pointer, joinPointer(pathItem.pointer, "parameters")];
    parts.set(label, JSON.stringify(pointers.map((pointer) => getByPointer(document, pointer))));
  }
  const { source } = registry;
  for (const kind of source.componentKinds())
    for (const { name, pointer } of source.components(kind))
      parts.set(`component ${kind}/${name}`, JSON.stringify(getByPointer(document, pointer)));
  return parts;
}

/** Parses contract.json; a damaged file counts as empty. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
