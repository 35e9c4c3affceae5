import type { Contract } from "tenon/core/model";
import type { Schema, Side } from "tenon/core/schema";
import type { Declarations } from "./declarations.js";

/** A lint rule: reports problems of a contract. It sees only the model. */
export type Rule<Options extends object = object> = (
  contract: Contract,
  context: RuleContext<Options>,
) => void;

export interface RuleContext<Options extends object = object> {
  /** The options of the rule in redocly.yaml. */
  readonly options: Partial<Options>;
  readonly declarations: Declarations;
  /** Reports a problem with the value at a pointer. */
  readonly report: (
    pointer: string,
    message: string,
    options?: {
      /** Underlines the key of the pointer, not its value. Default: false. */
      readonly onKey?: boolean;
      /** Default: the rule's severity. */
      readonly severity?: "error" | "warn";
    },
  ) => void;
  /**
   * Validates a value of the messages of one side against a schema, like Redocly's own rules for examples.
   * @returns One sentence for each violation; none when the value is valid.
   */
  readonly validate: (
    value: unknown,
    schema: Schema,
    options: { readonly side: Side } & Partial<AdditionalProperties>,
  ) => readonly string[];
}

export interface AdditionalProperties {
  /** Allows properties that the schema does not declare. Default: false, as in the built-in rules. */
  readonly allowAdditionalProperties: boolean;
}
