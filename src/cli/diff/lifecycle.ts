import type { Located } from "tenon/core/legacy/document";
import { type Lifecycle, rankStability, readLifecycle, type Stability } from "tenon/core/document/lifecycle";
import { showInstant } from "tenon/core/document/instant";
import { CODES, type OwnCode } from "./codes.js";
import { compareLifecycles, type LifecycleChange, weighLifecycleChange } from "./compare-lifecycles.js";
import { type Scope, type Sides, tell } from "./comparison.js";
import type { OperationView } from "./operations.js";

/** What has a lifecycle, and how changes of it are told. */
interface Lasting {
  /** `The operation`, at the start of a sentence. */
  readonly name: string;
  readonly deprecated: OwnCode;
  readonly undeprecated: OwnCode;
}

export const OPERATION: Lasting = {
  name: "The operation",
  deprecated: "operation-deprecated",
  undeprecated: "operation-undeprecated",
};

/** Compares how long an operation, parameter or header stays, and how much is promised of it. */
export function compareLifecycle(at: Sides<Located>, lasting: Lasting, scope: Scope): void {
  const [base, revision] = [readLifecycle(at.base.node), readLifecycle(at.revision.node)];
  for (const change of compareLifecycles(base, revision)) {
    const { name, before, after } = change;
    const code = name === "deprecated" || name === "undeprecated" ? lasting[name] : name;
    const weight = weighLifecycleChange(name, revision, scope.now);
    const told = { message: describe(lasting.name, change), at, before, after, ...weight };
    tell(code, told, scope);
  }
}

function describe(subject: string, { name, before = "", after = "" }: LifecycleChange): string {
  switch (name) {
    case "deprecated":
      return `${subject} is deprecated`;
    case "undeprecated":
      return `${subject} is no longer deprecated`;
    case "sunset-added":
      return `${subject} ends on ${after}`;
    case "sunset-removed":
      return `${subject} no longer ends on ${before}`;
    case "sunset-earlier":
    case "sunset-later":
      return `${subject} ends on ${after} and not on ${before}`;
    case "deprecated-since-changed":
      return `${subject} has another \`x-deprecated-since\``;
    case "replacement-changed":
      return `${subject} has another \`x-replaced-by\``;
    case "stability-raised":
    case "stability-lowered":
      return `${subject} was ${before} and is ${after}`;
  }
}

/** A removal after the day that was told is no surprise; before it, the promise is broken. */
export function tellOperationRemoved(operation: OperationView, scope: Scope): void {
  const lifecycle = readLifecycle(operation.node);
  const code = isPast(lifecycle, scope) ? "operation-removed-after-sunset" : "operation-removed";
  const told = { message: `${operation.label} is gone`, at: { base: operation } };
  tell(code, { ...told, ...explainRemoval(lifecycle, scope) }, scope);
}

export function isPast({ sunset }: Pick<Lifecycle, "sunset">, { now }: Pick<Scope, "now">): boolean {
  return sunset !== undefined && sunset <= now;
}

/** Why a removal counts although something was told of it; nothing where its day is past, or nothing was told. */
export function explainRemoval(lifecycle: Lifecycle, scope: Scope): { readonly because?: string } {
  const { deprecated, sunset } = lifecycle;
  if (!deprecated || isPast(lifecycle, scope)) return {};
  if (sunset !== undefined) return { because: `Its sunset, ${showInstant(sunset)}, is not past.` };
  return { because: "It was deprecated, but no sunset told when it would go." };
}

/**
 * Of what less was promised than the comparison minds, nothing breaks a promise: what would be breaking is risky.
 * @param name Of what has the level, within a sentence: `the operation`.
 */
export function withPromise(stability: Stability, name: string, scope: Scope): Scope {
  if (rankStability(stability) >= rankStability(scope.stabilityLevel)) return scope;
  return {
    ...scope,
    report: (finding) => {
      const isBreaking = (finding.level ?? CODES[finding.code]?.level) === "breaking";
      if (!isBreaking) scope.report(finding);
      else {
        const because = `It would break clients, but ${name} was marked ${stability}.`;
        scope.report({ ...finding, level: "risky", because });
      }
    },
  };
}
