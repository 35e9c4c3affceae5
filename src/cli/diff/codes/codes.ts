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

/** Endings of the codes of opposite changes. */
const OPPOSITES = [
  ["added", "removed"],
  ["allowed", "forbidden"],
  ["became-required", "became-optional"],
  ["became-read-only", "no-longer-read-only"],
  ["became-write-only", "no-longer-write-only"],
  ["deprecated", "undeprecated"],
  ["earlier", "later"],
  ["raised", "lowered"],
  ["tightened", "loosened"],
  ["widened", "narrowed"],
  ["invalid", "valid"],
] as const;

/** Variants of changes, replaced by the change whose counterpart they share. */
const VARIANTS: readonly (readonly [part: RegExp, replacement: string])[] = [
  [/property-removed-after-sunset$/, "optional-property-removed"],
  [/optional-property-(became-(?:read|write)-only)$/, "property-$1"],
  [/removed-after-sunset$/, "removed"],
  [/^request-(required-)?header-removed$/, "request-$1parameter-removed"],
  [/^request-required-body/, "request-body"],
  [/^response-required-header/, "response-header"],
];

/** Every code that a change can have. Codes are stable and never reused. */
export const CODES: Readonly<Record<string, Code>> = {
  ...Object.fromEntries(
    Object.entries<ContractCodeRow>(CONTRACT_CODES).map(([code, [level, why]]) => {
      const direction = (["request", "response"] as const).find((one) => code.startsWith(`${one}-`));
      return [code, { level, counterpart: toCounterpart(code), why, ...(direction && { direction }) }];
    }),
  ),
  ...toSchemaCodes("request"),
  ...toSchemaCodes("response"),
};

function toSchemaCodes(direction: Direction): Readonly<Record<string, Code>> {
  const hidden = direction === "request" ? "write-only" : "read-only";
  const codes = (Object.keys(SCHEMA_CODES) as SchemaCode[]).filter((code) => !code.endsWith(hidden));
  return Object.fromEntries(
    codes.map((own) => {
      const code = `${direction}-${own}`;
      const [level, why] = [levelOf(own, direction), explainSchema(own, direction)];
      return [code, { level, direction, counterpart: toCounterpart(code), why }];
    }),
  );
}

/** Tests whether a code is one of changes of schemas. */
export function isSchemaCode(code: string): boolean {
  return !Object.hasOwn(CONTRACT_CODES, code);
}

/** Finds the code of the opposite change. */
function toCounterpart(code: string): string {
  const variant = VARIANTS.find(([pattern]) => pattern.test(code));
  const whole = variant === undefined ? code : code.replace(...variant);
  for (const [one, other] of OPPOSITES) {
    if (whole.endsWith(`-${one}`)) return `${whole.slice(0, -one.length)}${other}`;
    if (whole.endsWith(`-${other}`)) return `${whole.slice(0, -other.length)}${one}`;
  }
  return code;
}
