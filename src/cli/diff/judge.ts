import type { Node } from "tenon/core/legacy/document";
import type { SourcePosition } from "tenon/core/document/problem";
import { type Change, type Finding, type Level, LEVELS } from "./change.js";
import { CODES } from "./codes.js";
import { type CompareOptions, compareContracts, NOT_JUDGED } from "./compare-contracts.js";
import type { Sides } from "./comparison.js";
import type { Impact } from "./impact.js";
import { readVersion } from "./metadata.js";
import { judgeVersion, type VersionVerdict } from "./version.js";

/** A contract and where what is in it was written. */
export interface Contract {
  readonly document: Node;
  readonly locate: (pointer: string) => Pick<SourcePosition, "file" | "line" | "pointer">;
}

export interface JudgeOptions extends CompareOptions {
  /** Levels other than those of `CODES`. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** Changes that are not minded. */
  readonly ignore?: readonly {
    readonly code: string;
    readonly operation?: string;
    readonly reason: string;
  }[];
}

export interface Verdict {
  /** Breaking ones first. */
  readonly changes: readonly Change[];
  /** Of those that are not ignored. */
  readonly counts: Readonly<Record<Level, number>>;
  readonly version: VersionVerdict;
  readonly notJudged: readonly string[];
  /** Where the compiler was to be asked, see `withImpact`. */
  readonly impact?: Impact;
}

/** Compares two contracts and says what the changes mean. */
export function judgeContracts(
  contracts: Sides<Contract>,
  { levels = {}, ignore = [], ...options }: JudgeOptions,
): Verdict {
  const { base, revision } = contracts;
  const findings = compareContracts({ base: base.document, revision: revision.document }, options);
  const locate = { base: remember(base.locate), revision: remember(revision.locate) };
  const changes = findings
    .map((finding) => {
      const reason = ignore.find(({ code, operation }) => {
        return code === finding.code && (operation === undefined || operation === finding.operation);
      });
      const change = toChange(finding, levels, locate[finding.at.side](toWritten(finding.at.pointer)));
      return reason === undefined ? change : { ...change, ignored: reason.reason };
    })
    .sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  const minded = changes.filter(({ ignored }) => ignored === undefined);
  const count = (level: Level) => minded.filter((change) => change.level === level).length;
  return {
    changes,
    counts: { breaking: count("breaking"), risky: count("risky"), safe: count("safe") },
    version: judgeVersion(changes, readVersion(base), readVersion(revision)),
    notJudged: NOT_JUDGED,
  };
}

function toChange(
  finding: Finding,
  levels: Readonly<Record<string, Level>>,
  place: Pick<SourcePosition, "file" | "line" | "pointer">,
): Change {
  const { code, operation, before, after, message, because } = finding;
  const { level = "risky", why = "" } = CODES[code] ?? {};
  return {
    code,
    level: levels[code] ?? finding.level ?? level,
    ...(operation !== undefined && { operation }),
    pointer: place.pointer,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    file: place.file,
    line: place.line,
    message,
    why: because ?? why,
  };
}

/** The base of a hierarchy is the component that it was made of. */
function toWritten(pointer: string): string {
  return pointer.replace(/^(#\/components\/schemas\/[^/]*) base(?=\/|$)/, "$1");
}

/** Many changes are at one place. */
function remember(locate: Contract["locate"]): Contract["locate"] {
  const known = new Map<string, ReturnType<Contract["locate"]>>();
  return (pointer) => {
    const found = known.get(pointer) ?? locate(pointer);
    known.set(pointer, found);
    return found;
  };
}
