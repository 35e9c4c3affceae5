import { createRequire } from "node:module";
import { countChoices, hasManyChoices } from "tenon/core/schema";
import { findUnproved } from "./find-unproved.js";

/** The members of recheck's result that are read. Its other builds need Java or start a native program. */
interface Recheck {
  readonly checkSync: (
    source: string,
    flags: string,
    limits: object,
  ) =>
    | { readonly status: "safe" }
    | { readonly status: "unknown"; readonly error: { readonly kind: string } }
    | {
        readonly status: "vulnerable";
        readonly complexity: { readonly type: "exponential" | "polynomial"; readonly degree?: number };
        readonly attack: { readonly pattern: string };
      };
}

/** Counts of steps instead of times, so that the result does not depend on the machine; the time-out is the last resort. */
const LIMITS = {
  timeout: 30_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  recallTimeout: -1,
  maxNFASize: 3_000,
  attackLimit: 20_000_000,
  maxIteration: 2,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 50,
  crossoverSize: 10,
  mutationSize: 20,
};

/** More choices between optional parts than these are tried, because each may double the time. As bits. */
const MAX_CHOICES = 10;

/** One character or class, perhaps repeated a fixed number of times. */
const ATOM = String.raw`(?:\\[dDsSwW]|\\[^\w]|\[(?:\\.|[^\\\]])*\]|[\w\s./:@!#%&,;<=>~"'-])(?:\{\d+\})?`;

/** Anchored at the start, with one repetition at most: there is one way to match, whatever follows. */
const PLAIN = new RegExp(String.raw`^\^(?:${ATOM})*(?:${ATOM}(?:[*+?]|\{\d+,\d*\}))?(?:${ATOM})*\$?$`, "u");

let recheck: Recheck | undefined;
const known = new Map<string, string | undefined>();

/**
 * Finds out if matching a pattern can take more time than in proportion to the length of the text.
 * @returns the reason, to complete `"^(a+)+$" …`; undefined when the time is linear.
 */
export function findBacktracking(pattern: string, flags: string): string | undefined {
  if (PLAIN.test(pattern)) return undefined;
  const key = `${flags} ${pattern}`;
  if (known.has(key)) return known.get(key);
  const reason =
    analyze(pattern, flags, "auto") ??
    findUnproved(pattern) ??
    // recheck proves how the time grows with the text, also where a text of 40 characters takes hours.
    (countChoices(pattern) > MAX_CHOICES ? analyze(pattern, flags, "fuzz") : undefined);
  known.set(key, reason);
  return reason;
}

const costly = new Map<string, boolean>();

/**
 * Tests whether matching a Unicode pattern can take hours for a short text, or may for all that is known: its time is exponential, or
 * cubic or worse. Quadratic time, which {@link findBacktracking} finds, too, does no harm in a command that matches a few short texts.
 */
export function isCostly(pattern: string): boolean {
  if (PLAIN.test(pattern)) return false;
  const known = costly.get(pattern);
  if (known !== undefined) return known;
  const result = hasManyChoices(pattern) || check(pattern, "u", "auto");
  const isFound =
    result === true ||
    result.status === "unknown" ||
    (result.status === "vulnerable" && (result.complexity.degree ?? Infinity) > 2);
  costly.set(pattern, isFound);
  return isFound;
}

function analyze(pattern: string, flags: string, checker: "auto" | "fuzz"): string | undefined {
  const result = check(pattern, flags, checker);
  if (result.status === "safe") return undefined;
  return result.status === "unknown"
    ? `cannot be analyzed (${result.error.kind})`
    : `takes ${result.complexity.type} time, for example for ${result.attack.pattern}`;
}

function check(pattern: string, flags: string, checker: "auto" | "fuzz"): ReturnType<Recheck["checkSync"]> {
  // Its code takes 0.15 s to load.
  recheck ??= createRequire(import.meta.url)("#recheck") as Recheck;
  return recheck.checkSync(pattern, flags, { ...LIMITS, checker });
}
