import { isSame } from "../../core/schema/index.js";
import { MAX_ERRORS, remember } from "./remember.js";

/** Appends the errors of a reference to earlier ones. */
const APPEND = /vErrors = vErrors === null \? ([\w.]+) : vErrors\.concat\(\1\);/g;

/** Looks for a value among many, one by one. */
const SEARCH =
  /(valid\d+) = false;for\(const (v\d+) of ((?:[^"()]|"(?:[^"\\]|\\.)*")*)\)\{if\([\w.]+\((data\d*), \2\)\)\{\1 = true;break;\}\}/g;

/** The name of a property that the schema does not name, as part of an error's path. */
const NAME = /\b(\w+)(?=\.replace\(\/~\/g, "~0"\))/g;

/** Puts the default of a property into an object, in which `constructor` and the like are never missing. */
const DEFAULT = new RegExp(
  `if\\((data\\d*)\\.(${Object.getOwnPropertyNames(Object.prototype).join("|")}) === undefined\\)`,
  "g",
);

/**
 * Looks for an object that a reference is already being applied to. Only the fork of the validator that Redocly brings has this, and it
 * keeps objects that were invalid: the next time they pass.
 */
const VISITED =
  /(const visitedNodes\d+ = )\(typeof visitedNodesForRef !== ["']undefined["']\) && [^;]*? \|\| (?=new Set\(\))/g;

/** A function of the validator. */
const FUNCTION = /(?<=const func\d+ = )scope\.func\[\d+\](?=;)/g;

/**
 * Changes the code that the validator compiles. A property may be called like a member of every object, such as `toString`, and the
 * time grows with the size of the value:
 * - The validator copies all earlier errors for each reference that fails, which takes 9 s for 49,000 items.
 * - Each error has its whole path. A name of 50 kB with 24,000 invalid items takes more than 1 GB, so long names are cut.
 * - An `enum` with many values is searched one by one: 2,000 values and 33,000 items take 2 s.
 * - Schemas that refer to themselves validate each value once. Where two alternatives have the same recursive property, the
 *   validator takes twice the time for each level: a body of 1 kB with 60 levels would take years.
 */
export function adaptCode(code: string): string {
  const named = code
    .replaceAll(DEFAULT, "if(!Object.hasOwn($1, '$2') || $1.$2 === undefined)")
    .replaceAll(VISITED, "$1")
    .replaceAll(FUNCTION, "self.adaptFunction($&)");
  const found = named.replaceAll(SEARCH, "$1 = self.isOneOf($3, $4);");
  const cut = found.replaceAll(NAME, `($1.length > 64 ? $1.slice(0, 64) + "…" : $1)`);
  const appended = cut.replaceAll(
    APPEND,
    // One error must be added, because the code compares their numbers; the last one is that of a union.
    `if(vErrors === null){vErrors = $1;}else{for(const error of vErrors.length < ${MAX_ERRORS} ? $1 : $1.slice(-1))vErrors.push(error);}`,
  );
  // A schema that is still being compiled is called through a wrapper: it refers to itself.
  if (!/\bwrapper\d+\.validate\(/.test(appended)) return appended;
  return appended.replace(
    /return function (validate\d+)(\([^]*\})$/,
    "const $1 = self.remember(function$2);return $1;",
  );
}

/** Functions that the changed code calls, as methods of the validator. */
export const ADAPTED = { adaptFunction, isOneOf, remember };

type Compare = (value: unknown, other: unknown) => boolean;

/** Replaces the validator's comparison, which calls a value's own member `valueOf` or `toString`. */
function adaptFunction(original: Compare & { readonly code?: string }): Compare {
  return original.code?.includes("runtime/equal") === true ? isSame : original;
}

/** The values of each `enum`, by the list of them. */
const enums = new WeakMap<
  readonly unknown[],
  { readonly primitives: Set<unknown>; readonly others: unknown[] }
>();

/** Tests whether a value is one of an `enum`'s. */
function isOneOf(allowed: readonly unknown[], value: unknown): boolean {
  let known = enums.get(allowed);
  if (known === undefined) {
    known = {
      primitives: new Set(allowed.filter(isPrimitive)),
      others: allowed.filter((one) => !isPrimitive(one)),
    };
    enums.set(allowed, known);
  }
  if (isPrimitive(value)) return known.primitives.has(value);
  return known.others.some((other) => isSame(other, value));
}

const isPrimitive = (value: unknown): boolean => typeof value !== "object" || value === null;
