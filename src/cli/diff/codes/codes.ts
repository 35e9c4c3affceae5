import type { Side as Direction } from "tenon/core/schema";
import type { Level } from "../change.js";
import { CONTRACT_CODES, type ContractCodeRow } from "./contract-codes.js";
import { explainSchema, levelOf, SCHEMA_CODES, type SchemaCode } from "./schema-codes.js";

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
    Object.entries<ContractCodeRow>(CONTRACT_CODES).map(([code, [level, counterpart, why]]) => {
      const direction = (["request", "response"] as const).find((one) => code.startsWith(`${one}-`));
      return [code, { level, counterpart, why, ...(direction && { direction }) }];
    }),
  ),
  ...toSchemaCodes("request"),
  ...toSchemaCodes("response"),
};

function toSchemaCodes(direction: Direction): Readonly<Record<string, Code>> {
  const hidden = direction === "request" ? "write-only" : "read-only";
  const codes = (Object.keys(SCHEMA_CODES) as SchemaCode[]).filter((code) => !code.endsWith(hidden));
  return Object.fromEntries(
    codes.map((code) => {
      const level = levelOf(code, direction);
      const counterpart = `${direction}-${SCHEMA_CODES[code][1]}`;
      return [`${direction}-${code}`, { level, direction, counterpart, why: explainSchema(code, direction) }];
    }),
  );
}
