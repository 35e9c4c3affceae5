import type { Level } from "../change.js";
import { CONTRACT_CODES, type ContractCodeRow } from "./contract-codes.js";
import { explainSchema } from "./explain-schema.js";
import { levelOf, SCHEMA_CODES, type SchemaCode } from "./schema-codes.js";
import type { Side as Direction } from "tenon/core/schema";

export interface Code {
  /** Default; redocly.yaml can set another. */
  readonly level: Level;
  /** The direction of the messages that change. Undefined: the operation or the contract as a whole. */
  readonly direction?: Direction;
  /** The code of the opposite change; the same code where both directions have one. */
  readonly counterpart: string;
  /** Explains the consequence for clients. */
  readonly why: string;
}

/** Every code that a change can have. Codes are stable and never reused. */
export const CODES: Readonly<Record<string, Code>> = {
  ...Object.fromEntries(
    Object.entries<ContractCodeRow>(CONTRACT_CODES).map(([code, [level, counterpart, why, direction]]) => [
      code,
      { level, counterpart, why, ...(direction && { direction }) },
    ]),
  ),
  ...Object.fromEntries(
    (["request", "response"] as const).flatMap((direction) =>
      (Object.keys(SCHEMA_CODES) as SchemaCode[])
        .filter((code) => isOfDirection(code, direction))
        .map((code) => [
          `${direction}-${code}`,
          {
            direction,
            level: levelOf(code, direction),
            counterpart: `${direction}-${SCHEMA_CODES[code].counterpart}`,
            why: explainSchema(code, direction),
          },
        ]),
    ),
  ),
};

function isOfDirection(code: SchemaCode, direction: Direction): boolean {
  if (code.endsWith("read-only")) return direction === "request";
  return code.endsWith("write-only") ? direction === "response" : true;
}
