import type { Schema, Side } from "tenon/core/schema";
import type { Finding, Illustrate } from "../change.js";
import { count } from "../../output/count.js";
import { effectOf, explainOwn, isUndecided, levelOf, SAFE, SCHEMA_CODES } from "../codes/index.js";
import type { Counterexample } from "../counterexample/search.js";
import type { Question } from "../counterexample/tests.js";
import { weighLifecycleChange } from "../lifecycle-changes.js";
import type { Difference } from "../schema/compare/difference.js";
import type { Found } from "../schema/graph.js";
import { toConjunction } from "../schema/normal-form/conjunction.js";
import type { Sides } from "../sides.js";
import { explainRemoval, isPast, withPromise } from "./lifecycle.js";
import type { Scope } from "./scope.js";
import { findSeparator, type Texts, weighTexts } from "./texts.js";

export interface Owner {
  readonly direction: Side;
  /** `The request body`, at the start of a sentence. */
  readonly name: string;
  /** It is always there, so that its default never applies. */
  readonly isRequired?: boolean;
  /** The values that are sent as texts. Default: none. */
  readonly texts?: Texts | undefined;
}

/** `the request body`, within a sentence. */
export function toLowerStart(name: string): string {
  return name.replace(/^The /, "the ");
}

/** Compares the values that two schemas allow, and reports each difference at the deepest place that explains it. */
export function compareSchemas(
  owners: Sides<{ readonly schema?: Schema }>,
  owner: Owner,
  scope: Scope,
): void {
  const { direction, name, isRequired = false, texts } = owner;
  const { base, revision } = scope.contracts;
  const [before, after] = [toConjunction(owners.base.schema), toConjunction(owners.revision.schema)];
  const compared = scope.schemas[direction].compare(before, after);
  for (const found of compared) {
    const { difference, path, stability, property } = found;
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
      illustrate: createIllustrate(found, owner, scope),
      ...decide(found, direction, scope),
      ...(difference.name === "enum-replaced" && found.whole.path !== path && weighTag(direction)),
      ...(texts && weighTexts(found, direction, { schemas: scope.schemas[direction], texts })),
      ...((found.required || (isRequired && path === "")) &&
        difference.name.startsWith("default-") &&
        UNUSED_DEFAULT),
      ...(difference.lifecycle &&
        weighLifecycleChange(difference.lifecycle.change, difference.lifecycle.revision, scope.now)),
    });
  }
}

/** Decides the level of what the structure of the schemas leaves open: a value that breaks clients is searched. */
function decide(
  found: Found,
  direction: Side,
  { search }: Scope,
): Pick<Finding, "level" | "because" | "counterexample"> {
  const { difference, overlapping } = found;
  const { name, listed, levels } = difference;
  const given = levels?.[direction];
  if (given !== undefined && !overlapping)
    return { level: given, ...(given === "safe" && { because: SAFE[direction] }) };
  const level = levelOf(name, direction);
  // Within `oneOf`, one more value in an alternative can mean one fewer in the whole.
  const isOverlapping = overlapping && level === "safe" && ["wider", "narrower"].includes(effectOf(name));
  const isUnsure = difference.unsure?.[direction === "request" ? "base" : "revision"] === true;
  const isOpen =
    isOverlapping ||
    (level !== "safe" && isUndecided(name)) ||
    (level === "breaking" && (isUnsure || overlapping));
  if (!isOpen) return {};
  // The other differences report the values that a side does not list.
  if (listed !== undefined && listed[direction === "request" ? "base" : "revision"] === undefined)
    return { level: "safe" };
  const { found: value, isSure } = search.ask(toQuestion(found, direction));
  if (isSure && value === undefined)
    return { level: "safe", because: "Each of the values is valid in both." };
  if (value === undefined) {
    const reason =
      overlapping && name !== "alternatives-not-compared" ? "Its `oneOf` alternatives may overlap. " : "";
    return { level: "risky", because: `${reason}${NOT_FOUND[direction]}` };
  }
  return { level: "breaking", ...explainValue(value, found, direction) };
}

function toQuestion({ difference, part, whole }: Found, direction: Side): Question {
  const { name, subject = "", keyword, listed, alternative } = difference;
  const { base, revision } = whole;
  return { direction, name: `${name} ${subject}`, base, revision, part, keyword, listed, alternative };
}

/** Creates the search for a value that shows a difference whose level the rules decide. */
function createIllustrate(found: Found, { direction, texts }: Owner, { search }: Scope): Illustrate {
  const { difference } = found;
  const { name, subject, before, after, alternative, rule: keyword = difference.keyword } = difference;
  const pointers = [alternative?.base?.pointer, alternative?.revision?.pointer];
  const question = {
    ...toQuestion(found, direction),
    name: JSON.stringify([name, subject, before, after, pointers]),
    keyword,
    texts: texts && { separator: findSeparator(texts[direction === "request" ? "revision" : "base"]) },
  };
  return async (reason = explainOwn(name, direction)) => {
    const value = await search.illustrate(question);
    if (value === undefined) return undefined;
    const { because, counterexample } = explainValue(value, found, direction);
    return { because: reason === undefined ? because : `${reason} ${because}`, counterexample };
  };
}

function explainValue(
  { value }: { readonly value: unknown },
  { whole: { path } }: Found,
  direction: Side,
): { readonly because: string; readonly counterexample: Counterexample } {
  const shown = show(value);
  const place = path.replace(/^\./, "");
  const because =
    direction === "request"
      ? `${place === "" ? "" : `At ${place}, `}${shown} was valid and is no longer valid.`
      : `Clients can receive ${shown}${place === "" ? "" : ` at ${place}`}, which was not valid before.`;
  return { because, counterexample: { path, value } };
}

/** A value that names one of several alternatives is one more for clients that know the others. */
function weighTag(direction: Side): Pick<Finding, "level" | "because"> {
  return direction === "request"
    ? {}
    : { level: "risky", because: "Clients can receive a value that they do not know." };
}

const UNUSED_DEFAULT = {
  level: "safe",
  because: "It is required, so the default never applies.",
} as const;

const NOT_FOUND: Readonly<Record<Side, string>> = {
  request: "Tenon found no value that is no longer valid, but cannot rule one out.",
  response: "Tenon found no new value that clients can receive, but cannot rule one out.",
};

function describe(place: string, { name, subject, before, after }: Difference): string {
  const about = subject === undefined ? "" : ` "${subject}"`;
  const isCompared = /-(?:raised|lowered|narrowed|widened|changed)$/.test(name);
  const values = [before, after].flatMap((value) => {
    if (value !== undefined) return [show(value)];
    return isCompared && (before ?? after) !== undefined ? ["none"] : [];
  });
  const change = values.length === 0 ? "" : `: ${values.join(", now ")}`;
  return `${place} ${SCHEMA_CODES[name][1]}${about}${change}`;
}

/** Characters of a value in a message; the change itself has the whole value. */
const MAX_LENGTH = 80;

function show(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= MAX_LENGTH) return text;
  const size =
    typeof value === "string"
      ? ` (${count(Array.from(value).length, "character")})`
      : Array.isArray(value)
        ? ` (${count(value.length, "item")})`
        : "";
  return `${text.slice(0, MAX_LENGTH)}…${size}`;
}
