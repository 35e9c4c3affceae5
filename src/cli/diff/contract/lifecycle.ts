import {
  type Lasting,
  type Placed,
  rankStability,
  showInstant,
  type Stability,
  STABLE,
} from "tenon/core/document";
import { CODES, type ContractCode, findPolicyLevel } from "../codes/index.js";
import {
  compareLifecycles,
  findInvalidSunset,
  type LifecycleChangeName,
  weighLifecycleChange,
} from "../lifecycle-changes.js";
import type { Sides } from "../sides.js";
import { reportChange, type Scope } from "./scope.js";

/** A part of the contract that can be deprecated. */
interface Deprecable extends Placed, Lasting {}

interface LifecycleOwner {
  /** `The operation`, at the start of a sentence. */
  readonly name: string;
  /** Begins the codes of its deprecation. */
  readonly kind: "operation" | "request-parameter" | "response-header";
}

/** Compares the deprecation, sunset and stability of an operation, parameter or header. */
export function compareLifecycle(at: Sides<Deprecable>, owner: LifecycleOwner, scope: Scope): void {
  for (const change of compareLifecycles(at.base, at.revision)) {
    const { name, before, after, subject } = change;
    const code = name === "deprecated" || name === "undeprecated" ? (`${owner.kind}-${name}` as const) : name;
    const weight = weighLifecycleChange(change, at.revision, scope.now);
    const message = `${owner.name} ${TEXTS[name](before ?? "", after ?? "", subject ?? "")}`;
    reportChange(code, { message, at, before, after, ...weight }, scope);
  }
}

/** Describes a change of a lifecycle; follows the name of its owner in a sentence. */
const TEXTS: Readonly<
  Record<LifecycleChangeName, (before: string, after: string, subject: string) => string>
> = {
  deprecated: () => "is deprecated",
  undeprecated: () => "is no longer deprecated",
  "sunset-added": (_, after) => `has the sunset date ${after}`,
  "sunset-removed": (before) => `no longer has the sunset date ${before}`,
  "sunset-earlier": (before, after) => `has the sunset date ${after} instead of ${before}`,
  "sunset-later": (before, after) => `has the sunset date ${after} instead of ${before}`,
  "deprecated-since-changed": () => "has another `x-deprecated-since`",
  "replacement-changed": () => "has another `x-replaced-by`",
  "stability-raised": (before, after) => `was ${before} and is ${after}`,
  "stability-lowered": (before, after) => `was ${before} and is ${after}`,
  "lifecycle-invalid": (_, after, subject) => `has an invalid \`${subject}\`: ${JSON.stringify(after)}`,
  "lifecycle-valid": (before, _, subject) =>
    `no longer has an invalid \`${subject}\`: ${JSON.stringify(before)}`,
};

interface Removal {
  readonly code: ContractCode;
  /** The code for a removal after the announced sunset. */
  readonly afterSunset: ContractCode;
  readonly message: string;
  readonly before?: string;
}

/** Reports a removal, which is safe only after the announced sunset. */
export function reportRemoval(
  base: Deprecable,
  { code, afterSunset, ...details }: Removal,
  scope: Scope,
): void {
  reportChange(
    isPast(base, scope) ? afterSunset : code,
    { ...details, at: { base }, ...explainRemoval(base, scope) },
    scope,
  );
}

export function isPast({ lifecycle }: Lasting, { now }: Pick<Scope, "now">): boolean {
  return lifecycle?.sunset !== undefined && lifecycle.sunset <= now;
}

/** Explains why the removal of something deprecated still counts. Empty after its sunset, and for what was not deprecated. */
export function explainRemoval(lasting: Lasting, scope: Scope): { readonly because?: string } {
  const { deprecated, sunset } = lasting.lifecycle ?? STABLE;
  if (!deprecated || isPast(lasting, scope)) return {};
  const invalid = findInvalidSunset(lasting);
  if (invalid !== undefined) return { because: `Its \`x-sunset\` is invalid: ${invalid}.` };
  if (sunset !== undefined) return { because: `Its sunset date, ${showInstant(sunset)}, has not passed.` };
  return { because: "It was deprecated without a sunset date." };
}

/**
 * Reports breaking changes as risky where the base promised less stability than the comparison protects.
 * @param name The owner of the stability level, as it is within a sentence: `the operation`.
 */
export function withPromise(
  { stability }: { readonly stability: Stability } = STABLE,
  name: string,
  scope: Scope,
): Scope {
  if (rankStability(stability) >= rankStability(scope.stabilityLevel)) return scope;
  const because = `It would break clients, but ${name} was marked ${stability}.`;
  return {
    ...scope,
    report: (finding) => {
      const { code, level = findPolicyLevel(scope.policy, code) ?? CODES[code]?.level } = finding;
      const isBreaking = level === "breaking";
      scope.report(isBreaking ? { ...finding, level: "risky", because } : finding);
    },
  };
}
