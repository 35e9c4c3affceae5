import { isNode } from "tenon/core/document";
import type { Schema } from "tenon/core/schema";
import { toCanonical } from "../schema/normal-form/values.js";
import type { Sides } from "../sides.js";
import {
  collectMaterial,
  type Material,
  pickEvenly,
  sampleValues,
  type SchemaOfView,
  take,
  unique,
  varyParts,
} from "./candidates.js";
import { type Question, type Tester, toKey } from "./tests.js";

type Found = { readonly value: unknown } | undefined;

/** Steps for one difference and for all of a comparison. Counts, because time differs between machines. */
const MAX_CHECKS = 200;
const MAX_STEPS = 20_000;

/** Schemas that a validator compiles for one question: those of a large document would take too long. */
const MAX_SCHEMAS = 150;

/** Schemas whose limits are tried. */
const MAX_LIMITING = 20;

/** Generated values for each share of optional properties. */
const SAMPLES = 4;

/** Numbers that the formats `int32` and `float` exclude. */
const LARGE = [2 ** 31, 1e39];

/** Lengths of lists in texts. */
const LENGTHS = [2, 3, 5, 9, 17, 33, 65, 129];

/** Values whose variations are tried. */
const VARIED = 4;

/** Longer strings and lists are larger than a service reads unless its limit of 100 kB is raised, and would fill a report. */
const MAX_PARTS = 100_000;

/**
 * Searches a value for differences whose levels are known: the value only explains them. Its steps are its own, so that it takes
 * none from the search that decides levels.
 */
export class Illustration {
  readonly #results = new Map<string, Found>();
  #left = MAX_STEPS;

  constructor(readonly tester: Tester) {}

  async find(question: Question): Promise<Found> {
    const key = `${toKey(question)}${question.texts ? ` text ${question.texts.separator}` : ""}`;
    if (!this.#results.has(key)) this.#results.set(key, await this.#search(question));
    return this.#results.get(key);
  }

  async #search(question: Question): Promise<Found> {
    const cost = this.#countSchemas(question);
    if (cost > MAX_SCHEMAS || cost > this.#left) return undefined;
    this.#left -= cost;
    const tests = await this.tester.prepare(question, { exact: true });
    if (tests === undefined) return undefined;
    const { to, source, sources, alternative, wasValid, isRefused, shows } = tests;
    const { texts } = question;
    const read = (value: unknown) => (texts ? readText(value, texts.separator) : [value]);
    const tried = new Set<string>();
    const valid: unknown[] = [];
    let checks = 0;
    const tryAll = (values: Iterable<unknown>): Found => {
      for (const value of values) {
        if (checks >= MAX_CHECKS || this.#left <= 0) return undefined;
        const text = toCanonical(value);
        if (tried.has(text)) continue;
        tried.add(text);
        checks += 1;
        this.#left -= 1;
        if (!wasValid(value)) continue;
        if (read(value).every(isRefused) && shows(value)) return { value };
        valid.push(value);
      }
      return undefined;
    };
    const material = collectMaterial(sources, MAX_LIMITING);
    const likely = [...toPast(source, question.keyword?.[to]), ...(alternative ? [alternative] : [])];
    return (
      tryAll([...listValues(question.keyword), ...material.values, ...LARGE, ...toLists(texts?.separator)]) ??
      tryAll(unique(sampleValues([source], { samples: SAMPLES }))) ??
      tryAll(unique(sampleValues(likely, { samples: SAMPLES, areSmall: false }))) ??
      tryAll(lengthen(unique(valid), question.keyword?.[to])) ??
      tryAll(varySome(unique(valid), material))
    );
  }

  /** Counts the schemas that have to be compiled, up to a little more than the limit. */
  #countSchemas(question: Question): number {
    const count = (side: "base" | "revision") =>
      take(this.tester.registries[side].walk(question[side].parts), MAX_SCHEMAS + 1).length;
    return count("base") + count("revision");
  }
}

/** Lists variations of small and large values, as many of each. */
function varySome(values: readonly unknown[], material: Material): readonly unknown[] {
  return pickEvenly(values, VARIED).flatMap((value) => take(varyParts(value, material), MAX_CHECKS / VARIED));
}

/** Lists what the text of a value can also mean: `5` and `"5"` are the same in a parameter, and one value can be a list. */
function readText(value: unknown, separator: string | undefined): readonly unknown[] {
  const readings = [value, mapLeaves(value, toText), mapLeaves(value, toPlain)];
  if (Array.isArray(value)) return value.length === 1 ? [...readings, ...readings.flat()] : readings;
  if (isNode(value)) return readings;
  const lists = readings.map((one) => [one]);
  if (typeof value !== "string" || separator === undefined || !value.includes(separator))
    return [...readings, ...lists];
  const list = value.split(separator);
  return [...readings, list, mapLeaves(list, toPlain)];
}

/** Writes lists of several lengths as texts. */
function toLists(separator: string | undefined): readonly string[] {
  return separator === undefined
    ? []
    : LENGTHS.map((length) => Array<string>(length).fill("a").join(separator));
}

function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change));
  if (!isNode(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapLeaves(member, change)]));
}

function toText(leaf: unknown): unknown {
  return String(leaf);
}

/** Reads the number or boolean that a text means. */
function toPlain(leaf: unknown): unknown {
  if (leaf === "true" || leaf === "false") return leaf === "true";
  return typeof leaf === "string" && leaf !== "" && !Number.isNaN(Number(leaf)) ? Number(leaf) : leaf;
}

/** Lists the values of a difference between enums. */
function listValues({ base, revision }: Partial<Sides<Schema | undefined>> = {}): readonly unknown[] {
  return unique(
    [base, revision].flatMap(({ enum: values = [], not } = NO_KEYWORD) => [...values, ...(not?.enum ?? [])]),
  );
}

/**
 * Makes values larger than their limit: the last character of a string is repeated, which many patterns still match; a list has
 * its first item again, or numbered, and an object its first member, with other names.
 */
function lengthen(values: readonly unknown[], limits = NO_KEYWORD): readonly unknown[] {
  const { maxLength = MAX_PARTS, maxItems = MAX_PARTS, maxProperties = MAX_PARTS } = limits;
  const numbers = (limit: number) => Array.from({ length: limit + 1 }, (_, index) => index);
  return values.flatMap((value): readonly unknown[] => {
    if (typeof value === "string")
      return maxLength < MAX_PARTS ? [value.padEnd(maxLength + 1, value.at(-1))] : [];
    if (Array.isArray(value)) {
      const first: unknown = value[0];
      if (maxItems >= MAX_PARTS || first === undefined) return [];
      const numbered = numbers(maxItems).map((index) =>
        typeof first === "string" ? `${first}${index}` : index,
      );
      return [numbered.map(() => first), numbered];
    }
    if (!isNode(value) || maxProperties >= MAX_PARTS) return [];
    const [first = ""] = Object.values(value);
    return [
      { ...value, ...Object.fromEntries(numbers(maxProperties).map((index) => [`other${index}`, first])) },
    ];
  });
}

const NO_KEYWORD: Schema = { pointer: "#" };

/** Keywords of the values that a limit excludes. */
const PAST: Readonly<Partial<Record<keyof Schema, (limit: number) => Partial<Schema>>>> = {
  minimum: (limit) => ({ exclusiveMaximum: limit }),
  exclusiveMinimum: (limit) => ({ maximum: limit }),
  maximum: (limit) => ({ exclusiveMinimum: limit }),
  exclusiveMaximum: (limit) => ({ minimum: limit }),
  minLength: (limit) => ({ type: ["string"], maxLength: limit - 1 }),
  maxLength: (limit) => ({ type: ["string"], minLength: limit + 1 }),
  minItems: (limit) => ({ type: ["array"], maxItems: limit - 1 }),
  maxItems: (limit) => ({ type: ["array"], minItems: limit + 1 }),
  minProperties: (limit) => ({ type: ["object"], maxProperties: limit - 1 }),
  maxProperties: (limit) => ({ type: ["object"], minProperties: limit + 1 }),
};

/** Restricts a schema to the values past a limit that it does not have. */
function toPast({ schema, view }: SchemaOfView, limit: Schema | undefined): readonly SchemaOfView[] {
  return Object.entries(limit ?? {}).flatMap(([keyword, value]) => {
    const past = PAST[keyword as keyof Schema];
    if (past === undefined || typeof value !== "number" || value >= MAX_PARTS) return [];
    return [{ schema: { pointer: schema.pointer, allOf: [schema, { pointer: "#", ...past(value) }] }, view }];
  });
}
