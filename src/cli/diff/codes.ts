import type { Level } from "./change.js";
import { explainSchema } from "./explain-schema.js";
import { levelOf, SCHEMA_FACTS, type SchemaFact } from "./schema-codes.js";
import type { Direction } from "./view.js";

export interface Code {
  /** Unless redocly.yaml says another. */
  readonly level: Level;
  /** Which direction of messages it is about; none: the operation or the contract as a whole. */
  readonly direction?: Direction;
  /** The code of the same change backwards; its own where it is the same both ways. */
  readonly counterpart: string;
  /** What it means to clients. */
  readonly why: string;
}

const GONE = "Calls that worked no longer do.";
const NEW = "Nothing that was there is different.";
const REFUSED = "Requests that were valid can be refused.";
const AS_BEFORE = "What was valid still is.";
const UNTOLD = "Clients can get what they were not told of.";
const ABOUT = "It says something about the operation, and changes no message.";
const ENDED = "Its last day was told, and is past.";
const TAKEN = "Clients that use it do not get it any more.";

type Row = readonly [level: Level, counterpart: string, why: string, direction?: Direction];

const ROWS = {
  "operation-added": ["safe", "operation-removed", NEW],
  "operation-removed": ["breaking", "operation-added", GONE],
  "operation-removed-after-sunset": ["safe", "operation-added", ENDED],
  "operation-id-added": ["safe", "operation-id-removed", NEW],
  "operation-id-removed": ["risky", "operation-id-added", "Generated clients name their functions by it."],
  "operation-id-changed": ["risky", "operation-id-changed", "Generated clients name their functions by it."],
  "operation-tag-added": ["safe", "operation-tag-removed", ABOUT],
  "operation-tag-removed": ["safe", "operation-tag-added", ABOUT],
  "operation-deprecated": ["safe", "operation-undeprecated", ABOUT],
  "operation-undeprecated": ["safe", "operation-deprecated", ABOUT],
  "sunset-added": ["safe", "sunset-removed", ABOUT],
  "sunset-removed": ["safe", "sunset-added", ABOUT],
  "sunset-earlier": ["breaking", "sunset-later", "Clients were promised it for longer."],
  "sunset-later": ["safe", "sunset-earlier", "It stays for longer than was promised."],
  "deprecated-since-changed": ["safe", "deprecated-since-changed", ABOUT],
  "replacement-changed": ["safe", "replacement-changed", ABOUT],
  "stability-raised": ["safe", "stability-lowered", "What is promised is more than it was."],
  "stability-lowered": ["breaking", "stability-raised", "What is promised is less than it was."],

  "request-parameter-added": [
    "safe",
    "request-parameter-removed",
    "Requests without it are as valid as before.",
    "request",
  ],
  "request-required-parameter-added": ["breaking", "request-required-parameter-removed", REFUSED, "request"],
  "request-parameter-removed": [
    "breaking",
    "request-parameter-added",
    "A service that holds to its contract refuses what the contract does not have, or ignores what clients mean.",
    "request",
  ],
  "request-required-parameter-removed": [
    "breaking",
    "request-required-parameter-added",
    "All clients send it, and a service that holds to its contract refuses what the contract does not have.",
    "request",
  ],
  "request-header-removed": [
    "risky",
    "request-parameter-added",
    "What clients say by it is ignored.",
    "request",
  ],
  "request-required-header-removed": [
    "risky",
    "request-required-parameter-added",
    "What clients say by it is ignored.",
    "request",
  ],
  "request-parameter-removed-after-sunset": ["safe", "request-parameter-added", ENDED, "request"],
  "request-parameter-became-required": ["breaking", "request-parameter-became-optional", REFUSED, "request"],
  "request-parameter-became-optional": ["safe", "request-parameter-became-required", AS_BEFORE, "request"],
  "request-parameter-serialization-changed": [
    "breaking",
    "request-parameter-serialization-changed",
    "The same value is written in another way.",
    "request",
  ],
  "request-parameter-empty-allowed": ["safe", "request-parameter-empty-forbidden", AS_BEFORE, "request"],
  "request-parameter-empty-forbidden": ["breaking", "request-parameter-empty-allowed", REFUSED, "request"],
  "request-parameter-reserved-allowed": [
    "safe",
    "request-parameter-reserved-forbidden",
    AS_BEFORE,
    "request",
  ],
  "request-parameter-reserved-forbidden": [
    "breaking",
    "request-parameter-reserved-allowed",
    REFUSED,
    "request",
  ],
  "request-parameter-deprecated": ["safe", "request-parameter-undeprecated", ABOUT, "request"],
  "request-parameter-undeprecated": ["safe", "request-parameter-deprecated", ABOUT, "request"],

  "request-body-added": [
    "safe",
    "request-body-removed",
    "Requests without one are as valid as before.",
    "request",
  ],
  "request-required-body-added": ["breaking", "request-body-removed", REFUSED, "request"],
  "request-body-removed": [
    "breaking",
    "request-body-added",
    "What clients send is refused or ignored.",
    "request",
  ],
  "request-body-became-required": ["breaking", "request-body-became-optional", REFUSED, "request"],
  "request-body-became-optional": ["safe", "request-body-became-required", AS_BEFORE, "request"],
  "request-media-type-added": ["safe", "request-media-type-removed", AS_BEFORE, "request"],
  "request-media-type-removed": ["breaking", "request-media-type-added", REFUSED, "request"],
  "request-encoding-changed": [
    "breaking",
    "request-encoding-changed",
    "The same field is written in another way.",
    "request",
  ],

  "response-status-added": [
    "safe",
    "response-status-removed",
    "Clients handle statuses by their class.",
    "response",
  ],
  "response-success-added": ["risky", "response-success-removed", UNTOLD, "response"],
  "response-status-removed": [
    "safe",
    "response-status-added",
    "Clients get nothing that they were not told of.",
    "response",
  ],
  "response-success-removed": [
    "breaking",
    "response-success-added",
    "Clients wait for it in vain.",
    "response",
  ],
  "response-body-added": ["safe", "response-body-removed", "Clients that expect none ignore it.", "response"],
  "response-body-removed": ["breaking", "response-body-added", TAKEN, "response"],
  "response-media-type-added": [
    "safe",
    "response-media-type-removed",
    "Clients get what their `Accept` asks for.",
    "response",
  ],
  "response-media-type-removed": ["breaking", "response-media-type-added", TAKEN, "response"],
  "response-media-type-widened": ["breaking", "response-media-type-narrowed", UNTOLD, "response"],
  "response-media-type-narrowed": [
    "safe",
    "response-media-type-widened",
    "Clients get nothing that they were not told of.",
    "response",
  ],
  "response-header-added": ["safe", "response-header-removed", NEW, "response"],
  "response-header-removed": ["risky", "response-header-added", TAKEN, "response"],
  "response-required-header-removed": ["breaking", "response-header-added", TAKEN, "response"],
  "response-header-removed-after-sunset": ["safe", "response-header-added", ENDED, "response"],
  "response-header-became-required": [
    "safe",
    "response-header-became-optional",
    "Clients get what they could get before.",
    "response",
  ],
  "response-header-became-optional": [
    "breaking",
    "response-header-became-required",
    "Clients rely on it, and may not get it.",
    "response",
  ],
  "response-header-deprecated": ["safe", "response-header-undeprecated", ABOUT, "response"],
  "response-header-undeprecated": ["safe", "response-header-deprecated", ABOUT, "response"],

  "security-tightened": ["breaking", "security-loosened", "Credentials that were enough no longer are."],
  "security-loosened": ["safe", "security-tightened", "Credentials that were enough still are."],
  "security-scope-added": [
    "breaking",
    "security-scope-removed",
    "Credentials without the scope no longer pass.",
  ],
  "security-scope-removed": ["safe", "security-scope-added", "Credentials that were enough still are."],
  "security-scheme-changed": [
    "breaking",
    "security-scheme-changed",
    "Clients have to get or send their credentials in another way.",
  ],
  "security-flow-added": ["safe", "security-flow-removed", NEW],
  "security-flow-removed": [
    "breaking",
    "security-flow-added",
    "Clients that get their tokens by it no longer can.",
  ],

  "server-added": ["safe", "server-removed", NEW],
  "server-removed": ["breaking", "server-added", "Clients that call it find nothing there."],
  "server-variable-changed": ["risky", "server-variable-changed", "The same URL can lead elsewhere."],

  "callback-added": ["safe", "callback-removed", "Only who asks for it is called."],
  "callback-removed": ["breaking", "callback-added", "Clients wait for it in vain."],
  "webhook-added": ["safe", "webhook-removed", NEW],
  "webhook-removed": ["breaking", "webhook-added", "Clients wait for it in vain."],

  "texts-changed": ["safe", "texts-changed", "Only people read it."],
  "version-changed": ["safe", "version-changed", "It tells of changes, and is none."],
} as const satisfies Readonly<Record<string, Row>>;

export type OwnCode = keyof typeof ROWS;

/** Every code that a change can have. Codes are stable and never reused. */
export const CODES: Readonly<Record<string, Code>> = {
  ...Object.fromEntries(
    Object.entries<Row>(ROWS).map(([code, [level, counterpart, why, direction]]) => [
      code,
      { level, counterpart, why, ...(direction && { direction }) },
    ]),
  ),
  ...Object.fromEntries(
    (["request", "response"] as const).flatMap((direction) =>
      (Object.keys(SCHEMA_FACTS) as SchemaFact[])
        .filter((fact) => isOfDirection(fact, direction))
        .map((fact) => [
          `${direction}-${fact}`,
          {
            direction,
            level: levelOf(fact, direction),
            counterpart: `${direction}-${SCHEMA_FACTS[fact].counterpart}`,
            why: explainSchema(fact, direction),
          },
        ]),
    ),
  ),
};

function isOfDirection(fact: SchemaFact, direction: Direction): boolean {
  if (fact.endsWith("read-only")) return direction === "request";
  return fact.endsWith("write-only") ? direction === "response" : true;
}
