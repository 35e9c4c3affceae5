import { getOwn, type Located, toText } from "../contract/document.js";
import { toInstant } from "../contract/to-instant.js";
import { type Scope, type Sides, tell } from "./comparison.js";
import type { OperationView } from "./operations.js";

/** From the least that is promised; no level is stable. */
const STABILITY = ["draft", "alpha", "experimental", "beta", "stable"];

/** What was promised less than stable may change; a change that would break stable operations is then no more than risky. */
export function findUnstable({ node }: Located): string | undefined {
  const level = toText(getOwn(node, "x-stability-level"));
  return level === undefined || level === "stable" ? undefined : level;
}

/** A removal after the day that was told is no surprise; before it, the promise is broken. */
export function tellRemoved(operation: OperationView, scope: Scope): void {
  const { node, label } = operation;
  const sunset = getOwn(node, "x-sunset");
  const instant = toInstant(sunset);
  const told = { message: `${label} is gone`, at: { base: operation } };
  if (instant !== undefined && instant <= scope.now) {
    tell("operation-removed-after-sunset", told, scope);
  } else {
    const because =
      instant !== undefined
        ? `Its sunset, ${String(sunset)}, is not past.`
        : node["deprecated"] === true
          ? "It was deprecated, but no sunset told when it would go."
          : undefined;
    tell("operation-removed", { ...told, ...(because !== undefined && { because }) }, scope);
  }
}

/** Compares how long an operation stays and how much is promised of it. */
export function compareDeprecation(operations: Sides<Located>, scope: Scope): void {
  const { base, revision } = operations;
  const at = operations;
  const [before, after] = [base.node["deprecated"] === true, revision.node["deprecated"] === true];
  if (before !== after) {
    const code = after ? "operation-deprecated" : "operation-undeprecated";
    tell(code, { message: `The operation is ${after ? "" : "no longer "}deprecated`, at }, scope);
  }
  compareSunset(operations, scope);
  for (const [key, code] of [
    ["x-deprecated-since", "deprecated-since-changed"],
    ["x-replaced-by", "replacement-changed"],
  ] as const) {
    const [old, current] = [getOwn(base.node, key), getOwn(revision.node, key)];
    const isSame = key === "x-replaced-by" ? old === current : toInstant(old) === toInstant(current);
    if (isSame) continue;
    tell(code, { message: `\`${key}\` is another`, at, before: old, after: current }, scope);
  }
  const [rank, newRank] = [toRank(base), toRank(revision)];
  if (rank !== newRank) {
    const code = newRank > rank ? "stability-raised" : "stability-lowered";
    const [old, current] = [findUnstable(base) ?? "stable", findUnstable(revision) ?? "stable"];
    tell(
      code,
      { message: `The operation was ${old} and is ${current}`, at, before: old, after: current },
      scope,
    );
  }
}

function compareSunset(at: Sides<Located>, scope: Scope): void {
  const [old, current] = [at.base, at.revision].map(({ node }) => getOwn(node, "x-sunset"));
  const [before, after] = [toInstant(old), toInstant(current)];
  if (before === after) return;
  const told = { at, before: old, after: current };
  if (before === undefined) {
    tell("sunset-added", { ...told, message: `The operation ends on ${String(current)}` }, scope);
  } else if (after === undefined) {
    tell("sunset-removed", { ...told, message: `The operation no longer ends on ${String(old)}` }, scope);
  } else {
    const code = after < before ? "sunset-earlier" : "sunset-later";
    tell(
      code,
      { ...told, message: `The operation ends on ${String(current)} and not on ${String(old)}` },
      scope,
    );
  }
}

function toRank(operation: Located): number {
  return STABILITY.indexOf(findUnstable(operation) ?? "stable");
}
