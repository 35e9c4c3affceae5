import { type Contract, type Operation, toOperationLabel } from "tenon/core/model";
import { type Argument, createTools, type Hints, readToolSettings, type Tool } from "tenon/mcp/internal";
import type { Sides } from "../sides.js";
import { withPromise } from "./lifecycle.js";
import { pairOperations } from "./operation-pairs.js";
import { type Comparison, reportChange, type Scope } from "./scope.js";

/**
 * Compares the tools that `x-mcp` makes of operations, where both contracts have the operation. Values of arguments are compared with
 * the requests. Names are compared as clients see them: an argument or tool gets a number if its name is taken.
 */
export function compareTools(comparison: Comparison): void {
  const { base, revision } = comparison.contracts;
  const known = { base: findTools(base), revision: findTools(revision) };
  for (const operations of pairOperations(comparison)) {
    if (operations.base === undefined || operations.revision === undefined) continue;
    const operation = toOperationLabel(operations.revision);
    const scope = withPromise(operations.base.lifecycle, "the operation", { ...comparison, operation });
    const tools = {
      base: known.base.get(operations.base),
      revision: known.revision.get(operations.revision),
    };
    compareTool(tools, scope);
  }
}

function findTools(contract: Contract): ReadonlyMap<Operation, Tool> {
  const offered = contract.operations.filter((operation) => {
    const settings = readToolSettings(operation, contract);
    return settings !== undefined && settings !== false;
  });
  return new Map(createTools(contract, offered).map((tool) => [tool.operation, tool]));
}

function compareTool({ base, revision }: Sides<Tool | undefined>, scope: Scope): void {
  const at = { base: base && toPlace(base), revision: revision && toPlace(revision) };
  if (base === undefined || revision === undefined) {
    if (base !== undefined) {
      const message = `The operation is no longer the tool "${base.name}"`;
      reportChange("tool-removed", { message, at, before: base.name }, scope);
    } else if (revision !== undefined) {
      const message = `The operation is the tool "${revision.name}"`;
      reportChange("tool-added", { message, at, after: revision.name }, scope);
    }
    return;
  }
  const report = (
    code: Parameters<typeof reportChange>[0],
    message: string,
    before: string,
    after: string,
  ) => {
    if (before !== after) reportChange(code, { message, at, before, after }, scope);
  };
  const name = `The tool "${revision.name}"`;
  const renamed = `The tool "${base.name}" is now "${revision.name}"`;
  report("tool-renamed", renamed, base.name, revision.name);
  report("tool-title-changed", `${name} has another title`, base.title, revision.title);
  const described = `${name} has another description`;
  report("tool-description-changed", described, base.description, revision.description);
  compareHints({ base: base.annotations, revision: revision.annotations }, { name, at }, scope);
  for (const [before, after] of findRenamed(base, revision))
    report("tool-argument-renamed", `${name} has the argument "${after}" for "${before}"`, before, after);
}

/** Pointer of `x-mcp`; its nearest part is that of the operation. */
function toPlace({ operation: { pointer } }: Tool) {
  return { pointer: `${pointer}/x-mcp` };
}

/** Hints whose value is the careful one if it is true, and the others. */
const CAREFUL = { destructiveHint: true, openWorldHint: true, readOnlyHint: false, idempotentHint: false };

function compareHints(
  { base, revision }: Sides<Hints>,
  { name, at }: { readonly name: string; readonly at: Parameters<typeof reportChange>[1]["at"] },
  scope: Scope,
): void {
  for (const [hint, careful] of Object.entries(CAREFUL) as [keyof typeof CAREFUL, boolean][]) {
    const [before, after] = [base[hint], revision[hint]];
    if (before === after) continue;
    const code = after === careful ? "tool-hints-tightened" : "tool-hints-loosened";
    const message = `${name} has the hint ${hint}: ${String(after)}`;
    reportChange(code, { message, at, before, after }, scope);
  }
}

/** Finds the arguments that write the same part of the request by another name. */
function findRenamed(
  { arguments: base, operation: { path } }: Tool,
  { arguments: revision, operation: { path: newPath } }: Tool,
): readonly (readonly [before: string, after: string])[] {
  const [names, newNames] = [listNames(path), listNames(newPath)];
  const toTarget = ({ in: place, target }: Argument) =>
    place === "path" ? newNames[names.indexOf(target)] : target;
  const isBody = ({ in: place }: Argument) => place === "member" || place === "body";
  return base.flatMap((before): (readonly [string, string])[] => {
    const same = revision.find((one) => one.in === before.in && one.target === toTarget(before));
    if (same !== undefined) return [[before.name, same.name]];
    // The members of a body are arguments themselves, or all of them are one.
    const whole = isBody(before) ? revision.find((one) => isBody(one) && one.in !== before.in) : undefined;
    return whole === undefined ? [] : [[before.name, whole.name]];
  });
}

/** Requests do not show the names of path parameters, but they are arguments of tools. */
function listNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
}
