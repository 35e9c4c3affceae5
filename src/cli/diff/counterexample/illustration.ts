import { isNode } from "tenon/core/document";
import type { Schema } from "tenon/core/schema";
import { toCanonical } from "../schema/normal-form/values.js";
import type { Sides } from "../sides.js";
import {
  collectMaterial,
  type Material,
  pickEvenly,
  sampleValues,
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

/** Values whose variations are tried. */
const VARIED = 4;

/** Larger arrays and objects would fill a report. */
const MAX_PARTS = 101;

/**
 * Searches a value for differences whose levels are known: the value only explains them. Its steps are its own, so that it takes
 * none from the search that decides levels.
 */
export class Illustration {
  readonly #results = new Map<string, Found>();
  #left = MAX_STEPS;

  constructor(readonly tester: Tester) {}

  async find(question: Question): Promise<Found> {
    const key = `${toKey(question)}${question.isText === true ? " text" : ""}`;
    if (!this.#results.has(key)) this.#results.set(key, await this.#search(question));
    return this.#results.get(key);
  }

  async #search(question: Question): Promise<Found> {
    const cost = this.#countSchemas(question);
    if (cost > MAX_SCHEMAS || cost > this.#left) return undefined;
    this.#left -= cost;
    const tests = await this.tester.prepare(question, { exact: true });
    if (tests === undefined) return undefined;
    const { source, sources, wasValid, isRefused, shows } = tests;
    const read = question.isText === true ? readText : (value: unknown) => [value];
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
    const sizes = listSizes(question.keyword);
    return (
      tryAll([...listValues(question.keyword), ...material.values, ...LARGE]) ??
      tryAll(unique(sampleValues([source], SAMPLES))) ??
      tryAll(unique(valid).flatMap((value) => resize(value, sizes))) ??
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

/** Lists what the text of a value can also mean: `5` and `"5"` are the same in a parameter, and one value can be a list of one. */
function readText(value: unknown): readonly unknown[] {
  const readings = [value, mapLeaves(value, toText), mapLeaves(value, toPlain)];
  return Array.isArray(value) || isNode(value) ? readings : [...readings, ...readings.map((one) => [one])];
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

/** Lists numbers of parts at the limits of a keyword. */
function listSizes({ base, revision }: Partial<Sides<Schema | undefined>> = {}): readonly number[] {
  return [base, revision].flatMap(({ minItems, maxItems, minProperties, maxProperties } = NO_KEYWORD) =>
    [minItems, maxItems, minProperties, maxProperties]
      .flatMap((limit) => (limit === undefined ? [] : [limit, limit + 1, limit - 1]))
      .filter((size) => size > 0 && size <= MAX_PARTS),
  );
}

const NO_KEYWORD: Schema = { pointer: "#" };

/** Repeats the parts of an array, or adds properties to an object, up to each number of parts. */
function resize(value: unknown, sizes: readonly number[]): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0)
    return sizes.map((length) => Array.from({ length }, (_, index): unknown => value[index % value.length]));
  if (!isNode(value)) return [];
  const [member = ""] = Object.values(value);
  return sizes.map((length) => {
    const added = Array.from({ length }, (_, index) => [`name${index + 1}`, member] as const);
    return Object.fromEntries([...Object.entries(value), ...added].slice(0, length));
  });
}
