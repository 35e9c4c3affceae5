import type { Scope, Sides } from "./comparison.js";
import type { Level } from "./change.js";
import { type LifecycleChangeName, weighLifecycleChange } from "./compare-lifecycles.js";
import { explainRemoval, isPast, withPromise } from "./lifecycle.js";
import { levelOf, SCHEMA_FACTS } from "./schema-codes.js";
import type { Fact } from "./schema/fact.js";
import type { Conjunction } from "./schema/shape.js";
import type { Direction } from "./view.js";

interface Owner {
  readonly direction: Direction;
  /** `The request body`, at the start of a sentence. */
  readonly name: string;
}

/** Compares the values that two schemas have, and tells each difference at the deepest place that explains it. */
export function compareSchemas(schemas: Sides<Conjunction>, owner: Owner, scope: Scope): void {
  const { direction, name } = owner;
  for (const { fact, path, overlapping, stability, property } of scope.schemas[direction].compare(
    schemas.base,
    schemas.revision,
  )) {
    const place = `${name}${path === "" ? "" : ` at ${path.replace(/^\./, "")}`}`;
    const isGone = /-removed$|became-(?:read|write)-only$/.test(fact.name) && fact.after === undefined;
    const isRemoval = fact.name.endsWith("property-removed");
    const isPromised = isRemoval && property !== undefined;
    const code = isPromised && isPast(property, scope) ? "property-removed-after-sunset" : fact.name;
    withPromise(stability, "it", scope).report({
      code: `${direction}-${code}`,
      message: describe(place, fact),
      at: isGone ? { side: "base", pointer: fact.base } : { side: "revision", pointer: fact.revision },
      ...(scope.operation !== undefined && { operation: scope.operation }),
      ...(fact.before !== undefined && { before: fact.before }),
      ...(fact.after !== undefined && { after: fact.after }),
      ...(isPromised && explainRemoval(property, scope)),
      ...levelWithin(levelOf(fact.name, direction), fact, overlapping),
      ...weighLifecycle(fact, scope),
    });
  }
}

function weighLifecycle({ name, lifecycle }: Fact, { now }: Scope): ReturnType<typeof weighLifecycleChange> {
  if (lifecycle === undefined) return {};
  return weighLifecycleChange(name.replace("schema-", "") as LifecycleChangeName, lifecycle, now);
}

/** Where a value must be of exactly one alternative, what one has more another may lose. */
function levelWithin(
  level: Level,
  { effect }: Fact,
  overlapping: boolean,
): { readonly level?: Level; readonly because?: string } {
  if (!overlapping || level !== "safe" || (effect !== "wider" && effect !== "narrower")) return {};
  return {
    level: "risky",
    because:
      "Its alternatives may overlap, and `oneOf` takes what exactly one has: which values there are is not decided.",
  };
}

function describe(place: string, { name, subject, before, after }: Fact): string {
  const about = subject === undefined ? "" : ` "${subject}"`;
  const values = [before, after].map((value) => (value === undefined ? undefined : show(value)));
  const [old, current] = values;
  const change =
    old !== undefined && current !== undefined
      ? `: ${old}, now ${current}`
      : old !== undefined
        ? `: ${old}`
        : current !== undefined
          ? `: ${current}`
          : "";
  return `${place} ${SCHEMA_FACTS[name].text}${about}${change}`;
}

/** Longest text of a value in a message, in characters; the change itself has it whole. */
const LONGEST = 80;

function show(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
