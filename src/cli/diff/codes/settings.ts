import {
  getItems,
  getOwn,
  isNode,
  joinPointer,
  type Located,
  STABILITY_LEVELS,
  type Stability,
  toText,
} from "tenon/core/document";
import type { Report } from "tenon/core/model";
import { toHint } from "../../output/nearest.js";
import { type Level, LEVELS } from "../change.js";
import { CODES } from "./codes.js";
import { POLICIES, type Policy } from "./policies.js";

/**
 * The settings of `tenon diff` for one API in redocly.yaml:
 * ```yaml
 * diff:
 *   policy: strict
 *   stabilityLevel: stable
 *   levels: { response-enum-value-added: breaking }
 *   ignore:
 *     - { code: operation-removed, operation: DELETE /pets, reason: No client called it. }
 * ```
 */
export interface DiffSettings {
  /** Default: `default`. Members of `levels` take precedence. */
  readonly policy?: Policy | undefined;
  /** The lowest `x-stability-level` whose changes can be breaking. Default: that of the comparison. */
  readonly stabilityLevel?: Stability | undefined;
  readonly levels: Readonly<Record<string, Level>>;
  readonly ignore: readonly IgnoredChange[];
}

export interface IgnoredChange {
  readonly code: string;
  /** Default: all operations. */
  readonly operation?: string | undefined;
  readonly reason: string;
}

const KEYS = ["policy", "stabilityLevel", "levels", "ignore"];
const IGNORE_KEYS = ["code", "operation", "reason"];

/** @returns undefined if there is no `diff`. Invalid settings are reported. */
export function readDiffSettings(extension: Located, report: Report): DiffSettings | undefined {
  const node = getOwn(extension.node, "diff");
  if (node === undefined) return undefined;
  const pointer = joinPointer(extension.pointer, "diff");
  if (!isNode(node)) {
    report(
      "api-diff",
      pointer,
      "x-tenon.diff must be an object of `policy`, `stabilityLevel`, `levels` and `ignore`",
    );
    return undefined;
  }
  reportUnknown({ node, pointer }, KEYS, report);
  return {
    policy: readChoice({ node, pointer }, "policy", POLICIES, report),
    stabilityLevel: readChoice({ node, pointer }, "stabilityLevel", STABILITY_LEVELS, report),
    levels: readLevels({ node, pointer }, report),
    ignore: getItems({ node, pointer }, "ignore").flatMap((entry) => readIgnored(entry, report) ?? []),
  };
}

function readChoice<Choice extends string>(
  { node, pointer }: Located,
  key: string,
  choices: readonly Choice[],
  report: Report,
): Choice | undefined {
  const value = getOwn(node, key);
  const known = choices.find((one) => one === value);
  if (value !== undefined && known === undefined) {
    const message = `x-tenon.diff.${key} must be one of ${choices.join(", ")}, found ${JSON.stringify(value)}`;
    report("api-diff", joinPointer(pointer, key), message);
  }
  return known;
}

function readLevels({ node, pointer }: Located, report: Report): DiffSettings["levels"] {
  const declared = getOwn(node, "levels");
  const levels = Object.entries(isNode(declared) ? declared : {});
  return Object.fromEntries(
    levels.flatMap(([code, level]): [string, Level][] => {
      const at = joinPointer(pointer, "levels", code);
      reportUnknownCode(code, at, report);
      const known = LEVELS.find((one) => one === level);
      if (known !== undefined) return [[code, known]];
      report("api-diff", at, `A level must be one of ${LEVELS.join(", ")}, found ${JSON.stringify(level)}`);
      return [];
    }),
  );
}

function readIgnored(entry: Located, report: Report): IgnoredChange | undefined {
  const { node, pointer } = entry;
  reportUnknown(entry, IGNORE_KEYS, report);
  const [code, operation, reason] = IGNORE_KEYS.map((key) => toText(node[key]));
  if (code === undefined || reason === undefined || reason.trim() === "") {
    report("api-diff", pointer, "An ignored change must have a `code` and a `reason`");
    return undefined;
  }
  reportUnknownCode(code, joinPointer(pointer, "code"), report);
  return { code, reason, operation };
}

function reportUnknownCode(code: string, pointer: string, report: Report): void {
  if (Object.hasOwn(CODES, code)) return;
  report("config-unknown", pointer, `Unknown change "${code}"`, toHint(code, Object.keys(CODES)).hint);
}

function reportUnknown({ node, pointer }: Located, known: readonly string[], report: Report): void {
  for (const key of Object.keys(node).filter((name) => !known.includes(name))) {
    const message = `x-tenon.diff has an unknown member "${key}"`;
    report("config-unknown", joinPointer(pointer, key), message, toHint(key, known).hint);
  }
}
