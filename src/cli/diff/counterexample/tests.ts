import type { Schema, SchemaRegistry, Side } from "tenon/core/schema";
import { isCostly } from "../../patterns/index.js";
import type { Validator } from "../../verify/index.js";
import { type Conjunction, toSchema } from "../schema/normal-form/conjunction.js";
import type { Sides } from "../sides.js";
import type { SchemaOfView } from "./candidates.js";

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
  /** The schema of a removed or added alternative. A value that shows the difference is valid for it. */
  readonly alternative?: Sides<Schema | undefined> | undefined;
  /** The values are sent as texts, so that `5` and `"5"` are the same, and so are a list and its items with a separator between them. */
  readonly texts?: { readonly separator: string | undefined } | undefined;
}

/** The tests of one question. */
export interface Tests {
  /** The side whose values the other side may not allow. */
  readonly from: keyof Sides<unknown>;
  readonly to: keyof Sides<unknown>;
  /** The question is about the schemas that differ, and not about ones around them. */
  readonly isWhole: boolean;
  /** The schema of the values. */
  readonly source: SchemaOfView;
  /** The schemas of the question and the ones that differ. */
  readonly sources: readonly SchemaOfView[];
  /** The removed or added alternative, on the side that has it. */
  readonly alternative: SchemaOfView | undefined;
  readonly wasValid: (value: unknown) => boolean;
  /** Tests whether the other side refuses a value, for whatever reason. */
  readonly isRefused: (value: unknown) => boolean;
  /** Tests whether the other side refuses a value, and the keyword of the question does. */
  readonly isInvalid: (value: unknown) => boolean;
  /** Tests whether an invalid value shows this difference, and not another one between the same schemas. */
  readonly shows: (value: unknown) => boolean;
}

/** Validates values by the schemas of both contracts. */
export class Tester {
  #validators: Readonly<Record<Side, Sides<Validator>>> | undefined;
  readonly #schemas = new Map<string, Schema>();

  constructor(readonly registries: Sides<SchemaRegistry>) {}

  /** Compiles the schemas of a question. @returns undefined if the validator refuses one that Tenon reads. */
  async prepare(question: Question, { exact = false } = {}): Promise<Tests | undefined> {
    const { direction, part, keyword, alternative } = question;
    const validators = (await this.#load())[direction];
    const [from, to] =
      direction === "request" ? (["base", "revision"] as const) : (["revision", "base"] as const);
    const schemas = { base: this.toSchema(question.base), revision: this.toSchema(question.revision) };
    const isWhole = part.base === question.base && part.revision === question.revision;
    const parts = { base: this.toSchema(part.base), revision: this.toSchema(part.revision) };
    const cause = isWhole || exact ? keyword?.[to] : undefined;
    const own = exact ? alternative?.[from] : undefined;
    const list = (...all: readonly (Schema | undefined)[]) => all.filter((schema) => schema !== undefined);
    try {
      await validators[from].prepare(list(schemas[from], ...(exact ? [parts[from], own] : [])));
      await validators[to].prepare(list(schemas[to], cause, ...(exact ? [parts[to]] : [])));
    } catch {
      return undefined;
    }
    const isValid = (side: "base" | "revision", schema: Schema | undefined, value: unknown) =>
      schema === undefined || validators[side].find(schema, value) === undefined;
    const showsPart = (value: unknown) =>
      isValid(from, parts[from], value) &&
      !isValid(to, parts[to], value) &&
      isValid(from, own, value) &&
      (cause === undefined || !isValid(to, cause, value));
    const toAlternative = (side: "base" | "revision"): SchemaOfView | undefined => {
      const schema = alternative?.[side];
      return schema && { schema, view: validators[side] };
    };
    const isRefused = (value: unknown) => !isValid(to, schemas[to], value);
    return {
      from,
      to,
      isWhole,
      source: { schema: schemas[from], view: validators[from] },
      sources: (["base", "revision"] as const).flatMap((side) =>
        [...new Set([schemas[side], parts[side]])].map((schema) => ({ schema, view: validators[side] })),
      ),
      alternative: toAlternative("base") ?? toAlternative("revision"),
      wasValid: (value) => isValid(from, schemas[from], value),
      isRefused,
      isInvalid: (value) =>
        isRefused(value) && (!isWhole || cause === undefined || !isValid(to, cause, value)),
      shows: (value) => (isWhole ? showsPart(value) : listParts(value).some(showsPart)),
    };
  }

  /** Builds a schema, the same one for the same conjunction: the validator knows schemas by identity. */
  toSchema(conjunction: Conjunction): Schema {
    const made = this.#schemas.get(conjunction.key) ?? toSchema(conjunction);
    this.#schemas.set(conjunction.key, made);
    return made;
  }

  close(): void {
    for (const sides of Object.values(this.#validators ?? {})) {
      sides.base.close();
      sides.revision.close();
    }
  }

  /** Loads the validator, which most comparisons do not need. */
  async #load(): Promise<Readonly<Record<Side, Sides<Validator>>>> {
    const { createValidator } = await import("../../verify/index.js");
    // Contracts say formats of responses, too, although few clients parse all of them.
    const options = { formatsOf: "request", skipsPattern: isCostly } as const;
    const create = (side: Side): Sides<Validator> => ({
      base: createValidator({ registry: this.registries.base, ...options, side }),
      revision: createValidator({ registry: this.registries.revision, ...options, side }),
    });
    return (this.#validators ??= { request: create("request"), response: create("response") });
  }
}

/** Lists a value and the values in it. */
function listParts(value: unknown): readonly unknown[] {
  const members = typeof value === "object" && value !== null ? Object.values(value) : [];
  return [value, ...members.flatMap(listParts)];
}

/** Equal for questions with the same result. */
export function toKey({ direction, name, base, revision, part }: Question): string {
  return [direction, base.key, revision.key, part.base.key, part.revision.key, name].join(" ");
}
