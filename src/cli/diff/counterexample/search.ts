import type { SchemaRegistry } from "tenon/core/schema";
import { toCanonical } from "../schema/normal-form/values.js";
import type { Sides } from "../sides.js";
import {
  collectMaterial,
  mix,
  nameProperties,
  pickEvenly,
  sampleValues,
  take,
  unique,
  vary,
  weigh,
} from "./candidates.js";
import { Illustration } from "./illustration.js";
import { type Question, Tester, type Tests, toKey } from "./tests.js";

/** A value of one contract that the other contract does not allow. */
export interface Counterexample {
  /** The part of the body, parameter or header that has the value: `.owner`. Empty: the whole. */
  readonly path: string;
  readonly value: unknown;
}

/** The result of a search. */
export interface Result {
  /** In an object, because it can be any value. */
  readonly found?: { readonly value: unknown };
  /** Every value that could be one was checked. */
  readonly isSure: boolean;
}

const OPEN: Result = { isSure: false };

/** Values that are checked for one question, and for all of a comparison; fewer if a schema is wide. Counts, because time differs between machines. */
const MAX_CHECKS = 1500;
const MAX_CHECKS_IN_ALL = 40_000;

/** Mixed objects that are checked after these, for alternatives that overlap. */
const MAX_MIXED = 500;

/** Variations of one round. */
const MAX_VARIATIONS = 6000;

/** Values whose variations are tried. */
const VARIED = 12;

/** Values that get properties of other names. */
const NAMED = 3;

/**
 * Searches values that were valid and are not any more in requests, and that are new in responses. A comparison asks and records,
 * {@link run} searches, and the next comparison gets the values.
 */
export class CounterexampleSearch {
  readonly #tester: Tester;
  readonly #illustration: Illustration;
  readonly #results = new Map<string, Result>();
  readonly #open = new Map<string, Question>();
  #left = MAX_CHECKS_IN_ALL;

  constructor(registries: Sides<SchemaRegistry>) {
    this.#tester = new Tester(registries);
    this.#illustration = new Illustration(this.#tester);
  }

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

  /** Searches a value that shows a difference that rules decide. It takes nothing from the searches of {@link run}. */
  illustrate(question: Question): Promise<Result["found"]> {
    return this.#illustration.find(question);
  }

  close(): void {
    this.#tester.close();
  }

  async #search(question: Question): Promise<Result> {
    if (this.#left <= 0) return OPEN;
    const tests = await this.#tester.prepare(question);
    if (tests === undefined) return OPEN;
    const { wasValid, isInvalid, isWhole, from } = tests;
    const listed = isWhole ? question.listed?.[from] : undefined;
    if (listed !== undefined) {
      const found = listed.find((value) => wasValid(value) && isInvalid(value));
      return found === undefined ? { isSure: true } : { found: { value: found }, isSure: true };
    }
    const found = this.#findValue(tests);
    return found === undefined ? OPEN : { found, isSure: true };
  }

  #findValue({ sources, alternative, wasValid, isInvalid }: Tests): { readonly value: unknown } | undefined {
    const sampled = unique(sampleValues(sources));
    const material = collectMaterial(sources);
    const tried = new Set<string>();
    const valid: unknown[] = [];
    const weight = weigh(sources);
    let checks = 0;
    const tryAll = (values: readonly unknown[], max: number): { readonly value: unknown } | undefined => {
      for (const value of values) {
        if (checks >= max || this.#left <= 0) return undefined;
        const text = toCanonical(value);
        if (tried.has(text)) continue;
        tried.add(text);
        checks += weight;
        this.#left -= weight;
        if (!wasValid(value)) continue;
        if (isInvalid(value)) return { value };
        valid.push(value);
      }
      return undefined;
    };
    const varyAll = (values: readonly unknown[]) => {
      // Each value gets its share, because the variations of a large one would fill the whole round.
      const share = Math.ceil(MAX_VARIATIONS / Math.max(1, values.length));
      return unique(values.flatMap((value) => take(vary(value, material), share)));
    };
    return (
      tryAll(unique([...sampled, ...material.values]), MAX_CHECKS / 3) ??
      tryAll(nameProperties(pickEvenly(unique(valid), NAMED), material), MAX_CHECKS / 2) ??
      tryAll(varyAll(pickEvenly(valid.length > 0 ? unique(valid) : sampled, VARIED)), (MAX_CHECKS * 2) / 3) ??
      tryAll(varyAll(pickEvenly(unique(valid), VARIED)), MAX_CHECKS) ??
      tryAll(
        mix(sampled, alternative === undefined ? [] : sampleValues([alternative])),
        MAX_CHECKS + MAX_MIXED,
      )
    );
  }
}
