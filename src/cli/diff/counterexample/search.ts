import type { Schema, SchemaRegistry, Side } from "tenon/core/schema";
import type { Validator } from "../../verify/index.js";
import { type Conjunction, toSchema } from "../schema/normal-form/conjunction.js";
import { toCanonical } from "../schema/normal-form/values.js";
import type { Sides } from "../sides.js";
import { collectMaterial, sampleValues, type SchemaOfView, unique, vary } from "./candidates.js";

/** A value of one contract that the other contract does not allow. */
export interface Counterexample {
  /** The part of the body, parameter or header that has the value: `.owner`. Empty: the whole. */
  readonly path: string;
  readonly value: unknown;
}

/** A comparison that the structure of two schemas does not decide. */
export interface Question extends Sides<Conjunction> {
  readonly direction: Side;
  /** The difference: its code, and the property or keyword. */
  readonly name: string;
  /** The schemas that values of `base` and `revision` have where the difference is. */
  readonly part: Sides<Conjunction>;
  /** Schemas of only the keyword that differs. A counterexample is invalid for one of them, unless it differs at another place. */
  readonly keyword?: Sides<Schema | undefined> | undefined;
  /** The only values that can be counterexamples. */
  readonly listed?: Sides<readonly unknown[] | undefined> | undefined;
}

/** The result of a search. */
export interface Result {
  /** In an object, because it can be any value. */
  readonly found?: { readonly value: unknown };
  /** Every value that could be one was checked. */
  readonly isSure: boolean;
}

const OPEN: Result = { isSure: false };

/** Values that are checked for one question, and for all of a comparison. Counts, because time differs between machines. */
const MAX_CHECKS = 1500;
const MAX_CHECKS_IN_ALL = 40_000;

/** Variations of one round. */
const MAX_VARIATIONS = 6000;

/** Values whose variations are tried. */
const VARIED = 12;

/**
 * Searches values that were valid and are not any more in requests, and that are new in responses. A comparison asks and records,
 * {@link run} searches, and the next comparison gets the values.
 */
export class CounterexampleSearch {
  #validators: Readonly<Record<Side, Sides<Validator>>> | undefined;
  readonly #schemas = new Map<string, Schema>();
  readonly #results = new Map<string, Result>();
  readonly #open = new Map<string, Question>();
  #left = MAX_CHECKS_IN_ALL;

  constructor(readonly registries: Sides<SchemaRegistry>) {}

  /** Returns the result, which is open until {@link run} has searched. */
  ask(question: Question): Result {
    const key = toKey(question);
    const known = this.#results.get(key);
    if (known === undefined) this.#open.set(key, question);
    return known ?? OPEN;
  }

  /** Searches the values for all questions since the last call. @returns false when there was none. */
  async run(): Promise<boolean> {
    const questions = [...this.#open];
    this.#open.clear();
    for (const [key, question] of questions) this.#results.set(key, await this.#search(question));
    return questions.length > 0;
  }

  close(): void {
    for (const sides of Object.values(this.#validators ?? {})) {
      sides.base.close();
      sides.revision.close();
    }
  }

  /** Loads the validator, which most comparisons do not need. */
  async #prepare(): Promise<Readonly<Record<Side, Sides<Validator>>>> {
    const { createValidator } = await import("../../verify/index.js");
    const create = (side: Side): Sides<Validator> => ({
      base: createValidator({ registry: this.registries.base, side }),
      revision: createValidator({ registry: this.registries.revision, side }),
    });
    return (this.#validators ??= { request: create("request"), response: create("response") });
  }

  async #search(question: Question): Promise<Result> {
    const { direction, keyword } = question;
    const validators = (await this.#prepare())[direction];
    const [from, to] =
      direction === "request" ? (["base", "revision"] as const) : (["revision", "base"] as const);
    const schemas = { base: this.#toSchema(question.base), revision: this.#toSchema(question.revision) };
    const isWhole = question.part.base === question.base && question.part.revision === question.revision;
    const cause = isWhole ? keyword?.[to] : undefined;
    try {
      await validators[from].prepare([schemas[from]]);
      await validators[to].prepare([schemas[to], ...(cause === undefined ? [] : [cause])]);
    } catch {
      // The validator refuses some schemas that Tenon reads, so the question stays open.
      return OPEN;
    }
    const wasValid = (value: unknown) => validators[from].find(schemas[from], value) === undefined;
    const isInvalid = (value: unknown) =>
      validators[to].find(schemas[to], value) !== undefined &&
      (cause === undefined || validators[to].find(cause, value) !== undefined);
    const listed = isWhole ? question.listed?.[from] : undefined;
    if (listed !== undefined) {
      const found = listed.find((value) => wasValid(value) && isInvalid(value));
      return found === undefined ? { isSure: true } : { found: { value: found }, isSure: true };
    }
    const found = this.#findValue(this.#listSources(question, schemas, validators), wasValid, isInvalid);
    return found === undefined ? OPEN : { found, isSure: true };
  }

  #listSources(
    { part }: Question,
    schemas: Sides<Schema>,
    validators: Sides<Validator>,
  ): readonly SchemaOfView[] {
    return (["base", "revision"] as const).flatMap((side) =>
      [...new Set([schemas[side], this.#toSchema(part[side])])].map((schema) => ({
        schema,
        view: validators[side],
      })),
    );
  }

  #findValue(
    sources: readonly SchemaOfView[],
    wasValid: (value: unknown) => boolean,
    isInvalid: (value: unknown) => boolean,
  ): { readonly value: unknown } | undefined {
    const sampled = unique(sampleValues(sources));
    const material = collectMaterial(sources);
    const tried = new Set<string>();
    const valid: unknown[] = [];
    let checks = 0;
    const tryAll = (values: readonly unknown[], max: number): { readonly value: unknown } | undefined => {
      for (const value of values) {
        if (checks >= max || this.#left <= 0) return undefined;
        const text = toCanonical(value);
        if (tried.has(text)) continue;
        tried.add(text);
        checks += 1;
        this.#left -= 1;
        if (!wasValid(value)) continue;
        if (isInvalid(value)) return { value };
        valid.push(value);
      }
      return undefined;
    };
    const varyAll = (values: readonly unknown[]) => {
      const made: unknown[] = [];
      // Each value gets its share, because the variations of a large one would fill the whole round.
      const share = Math.ceil(MAX_VARIATIONS / Math.max(1, values.length));
      for (const value of values) {
        let count = 0;
        for (const one of vary(value, material)) {
          if ((count += 1) > share) break;
          made.push(one);
        }
      }
      return unique(made);
    };
    return (
      tryAll(unique([...sampled, ...material.values]), MAX_CHECKS / 3) ??
      tryAll(varyAll(pickEvenly(valid.length > 0 ? unique(valid) : sampled)), (MAX_CHECKS * 2) / 3) ??
      tryAll(varyAll(pickEvenly(unique(valid))), MAX_CHECKS)
    );
  }

  /** The validator knows schemas by identity. */
  #toSchema(conjunction: Conjunction): Schema {
    const made = this.#schemas.get(conjunction.key) ?? toSchema(conjunction);
    this.#schemas.set(conjunction.key, made);
    return made;
  }
}

/** Picks small and large values. */
function pickEvenly(values: readonly unknown[]): readonly unknown[] {
  const step = Math.max(1, Math.ceil(values.length / VARIED));
  return values.filter((_, index) => index % step === 0);
}

function toKey({ direction, name, base, revision, part }: Question): string {
  return [direction, base.key, revision.key, part.base.key, part.revision.key, name].join(" ");
}
