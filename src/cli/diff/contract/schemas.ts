import type { Schema, Side } from "tenon/core/schema";
import type { Finding, Level } from "../change.js";
import { effectOf, levelOf, SCHEMA_CODES } from "../codes/index.js";
import { weighLifecycleChange } from "../lifecycle-changes.js";
import type { Difference } from "../schema/compare/difference.js";
import { toConjunction } from "../schema/normal-form/conjunction.js";
import type { Sides } from "../sides.js";
import { explainRemoval, isPast, withPromise } from "./lifecycle.js";
import type { Scope } from "./scope.js";

export interface Owner {
  readonly direction: Side;
  /** `The request body`, at the start of a sentence. */
  readonly name: string;
}

/** Compares the values that two schemas allow, and reports each difference at the deepest place that explains it. */
export function compareSchemas(
  owners: Sides<{ readonly schema?: Schema }>,
  { direction, name }: Owner,
  scope: Scope,
): void {
  const { base, revision } = scope.contracts;
  const [before, after] = [toConjunction(owners.base.schema), toConjunction(owners.revision.schema)];
  const found = scope.schemas[direction].compare(before, after);
  for (const { difference, path, overlapping, stability, property } of found) {
    const place = `${name}${path === "" ? "" : ` at ${path.replace(/^\./, "")}`}`;
    const isGone =
      /-removed$|became-(?:read|write)-only$/.test(difference.name) && difference.after === undefined;
    const isRemoval = difference.name.endsWith("property-removed");
    const isPromised = isRemoval && property !== undefined;
    const code = isPromised && isPast(property, scope) ? "property-removed-after-sunset" : difference.name;
    withPromise({ stability }, "it", scope).report({
      code: `${direction}-${code}`,
      message: describe(place, difference),
      at: isGone
        ? { side: "base", pointer: difference.base(base.registry) }
        : { side: "revision", pointer: difference.revision(revision.registry) },
      operation: scope.operation,
      before: difference.before,
      after: difference.after,
      ...(isPromised && explainRemoval(property, scope)),
      ...levelWithin(levelOf(difference.name, direction), difference, overlapping),
      ...(difference.lifecycle &&
        weighLifecycleChange(difference.lifecycle.change, difference.lifecycle.revision, scope.now)),
    });
  }
}

/** Raises the level of safe changes within `oneOf`, where one more value in an alternative can mean one fewer in the whole. */
function levelWithin(
  level: Level,
  { name }: Difference,
  overlapping: boolean,
): Pick<Finding, "level" | "because"> {
  if (!overlapping || level !== "safe" || !["wider", "narrower"].includes(effectOf(name))) return {};
  return {
    level: "risky",
    because: "Its `oneOf` alternatives may overlap; Tenon cannot determine which values stay valid.",
  };
}

function describe(place: string, { name, subject, before, after }: Difference): string {
  const about = subject === undefined ? "" : ` "${subject}"`;
  const values = [before, after].filter((value) => value !== undefined).map(show);
  const change = values.length === 0 ? "" : `: ${values.join(", now ")}`;
  return `${place} ${SCHEMA_CODES[name][1]}${about}${change}`;
}

/** Characters of a value in a message; the change itself has the whole value. */
const MAX_LENGTH = 80;

function show(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
