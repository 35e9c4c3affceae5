import type { Level } from "../change.js";

const GONE = "Calls that worked before now fail.";
const NEW = "Everything that existed before is unchanged.";
const REJECTED = "Requests that were valid can be rejected.";
const AS_BEFORE = "Requests that were valid stay valid.";
const UNDESCRIBED = "Clients can receive values that the old contract did not describe.";
const METADATA = "Metadata only; requests and responses are unchanged.";
const ENDED = "Its announced sunset date has passed.";
const NO_LONGER_SENT = "Clients that use it no longer receive it.";
const NAMED_AFTER = "Generated clients name their functions after it.";
const IGNORED = "The service ignores what clients send in it.";
const DESCRIBED = "Clients receive only what the old contract described.";
const SUFFICIENT = "Credentials that were sufficient still are.";
const NEVER_SENT = "Clients that rely on it never receive it.";

export type ContractCodeRow = readonly [level: Level, counterpart: string, why: string];

/** Every difference outside of schemas. */
export const CONTRACT_CODES = {
  "operation-added": ["safe", "operation-removed", NEW],
  "operation-removed": ["breaking", "operation-added", GONE],
  "operation-removed-after-sunset": ["safe", "operation-added", ENDED],
  "operation-id-added": ["safe", "operation-id-removed", NEW],
  "operation-id-removed": ["risky", "operation-id-added", NAMED_AFTER],
  "operation-id-changed": ["risky", "operation-id-changed", NAMED_AFTER],
  "operation-tag-added": ["safe", "operation-tag-removed", METADATA],
  "operation-tag-removed": ["safe", "operation-tag-added", METADATA],
  "operation-deprecated": ["safe", "operation-undeprecated", METADATA],
  "operation-undeprecated": ["safe", "operation-deprecated", METADATA],
  "sunset-added": ["safe", "sunset-removed", METADATA],
  "sunset-removed": ["safe", "sunset-added", METADATA],
  "sunset-earlier": ["breaking", "sunset-later", "Clients were promised more time."],
  "sunset-later": ["safe", "sunset-earlier", "Clients have more time than promised."],
  "deprecated-since-changed": ["safe", "deprecated-since-changed", METADATA],
  "replacement-changed": ["safe", "replacement-changed", METADATA],
  "stability-raised": ["safe", "stability-lowered", "The contract promises more stability than before."],
  "stability-lowered": ["breaking", "stability-raised", "The contract promises less stability than before."],

  "request-parameter-added": ["safe", "request-parameter-removed", "Requests without it stay valid."],
  "request-required-parameter-added": ["breaking", "request-required-parameter-removed", REJECTED],
  "request-parameter-removed": [
    "breaking",
    "request-parameter-added",
    "Services that enforce the contract reject the parameter; others ignore it.",
  ],
  "request-required-parameter-removed": [
    "breaking",
    "request-required-parameter-added",
    "All clients send the parameter, and services that enforce the contract reject it.",
  ],
  "request-header-removed": ["risky", "request-parameter-added", IGNORED],
  "request-required-header-removed": ["risky", "request-required-parameter-added", IGNORED],
  "request-parameter-removed-after-sunset": ["safe", "request-parameter-added", ENDED],
  "request-parameter-became-required": ["breaking", "request-parameter-became-optional", REJECTED],
  "request-parameter-became-optional": ["safe", "request-parameter-became-required", AS_BEFORE],
  "request-parameter-serialization-changed": [
    "breaking",
    "request-parameter-serialization-changed",
    "Clients must serialize the value in another way.",
  ],
  "request-parameter-empty-allowed": ["safe", "request-parameter-empty-forbidden", AS_BEFORE],
  "request-parameter-empty-forbidden": ["breaking", "request-parameter-empty-allowed", REJECTED],
  "request-parameter-reserved-allowed": ["safe", "request-parameter-reserved-forbidden", AS_BEFORE],
  "request-parameter-reserved-forbidden": ["breaking", "request-parameter-reserved-allowed", REJECTED],
  "request-parameter-deprecated": ["safe", "request-parameter-undeprecated", METADATA],
  "request-parameter-undeprecated": ["safe", "request-parameter-deprecated", METADATA],

  "request-body-added": ["safe", "request-body-removed", "Requests without a body stay valid."],
  "request-required-body-added": ["breaking", "request-body-removed", REJECTED],
  "request-body-removed": [
    "breaking",
    "request-body-added",
    "The service rejects or ignores what clients send.",
  ],
  "request-body-became-required": ["breaking", "request-body-became-optional", REJECTED],
  "request-body-became-optional": ["safe", "request-body-became-required", AS_BEFORE],
  "request-media-type-added": ["safe", "request-media-type-removed", AS_BEFORE],
  "request-media-type-removed": ["breaking", "request-media-type-added", REJECTED],
  "request-encoding-changed": [
    "breaking",
    "request-encoding-changed",
    "Clients must serialize the field in another way.",
  ],

  "response-status-added": [
    "safe",
    "response-status-removed",
    "Clients usually handle statuses by their class.",
  ],
  "response-success-added": ["risky", "response-success-removed", UNDESCRIBED],
  "response-status-removed": ["safe", "response-status-added", DESCRIBED],
  "response-success-removed": ["breaking", "response-success-added", NEVER_SENT],
  "response-body-added": ["safe", "response-body-removed", "Clients that expect no body ignore it."],
  "response-body-removed": ["breaking", "response-body-added", NO_LONGER_SENT],
  "response-media-type-added": [
    "safe",
    "response-media-type-removed",
    "Clients receive the media type that their `Accept` names.",
  ],
  "response-media-type-removed": ["breaking", "response-media-type-added", NO_LONGER_SENT],
  "response-media-type-widened": ["breaking", "response-media-type-narrowed", UNDESCRIBED],
  "response-media-type-narrowed": ["safe", "response-media-type-widened", DESCRIBED],
  "response-header-added": ["safe", "response-header-removed", NEW],
  "response-header-removed": ["risky", "response-header-added", NO_LONGER_SENT],
  "response-required-header-removed": ["breaking", "response-header-added", NO_LONGER_SENT],
  "response-header-removed-after-sunset": ["safe", "response-header-added", ENDED],
  "response-header-became-required": ["safe", "response-header-became-optional", DESCRIBED],
  "response-header-became-optional": [
    "breaking",
    "response-header-became-required",
    "Clients that rely on it may not receive it.",
  ],
  "response-header-deprecated": ["safe", "response-header-undeprecated", METADATA],
  "response-header-undeprecated": ["safe", "response-header-deprecated", METADATA],

  "security-tightened": ["breaking", "security-loosened", "Credentials that were sufficient no longer are."],
  "security-loosened": ["safe", "security-tightened", SUFFICIENT],
  "security-scope-added": [
    "breaking",
    "security-scope-removed",
    "Credentials without the scope are rejected.",
  ],
  "security-scope-removed": ["safe", "security-scope-added", SUFFICIENT],
  "security-scheme-changed": [
    "breaking",
    "security-scheme-changed",
    "Clients must obtain or send their credentials in another way.",
  ],
  "security-flow-added": ["safe", "security-flow-removed", NEW],
  "security-flow-removed": [
    "breaking",
    "security-flow-added",
    "Clients that use the flow can no longer obtain tokens.",
  ],

  "server-added": ["safe", "server-removed", NEW],
  "server-removed": ["breaking", "server-added", "Calls to this server fail."],
  "server-variable-changed": ["risky", "server-variable-changed", "The same URL can lead to another server."],

  "callback-added": ["safe", "callback-removed", "The service only calls clients that ask for it."],
  "callback-removed": ["breaking", "callback-added", NEVER_SENT],
  "webhook-added": ["safe", "webhook-removed", NEW],
  "webhook-removed": ["breaking", "webhook-added", NEVER_SENT],

  "texts-changed": ["safe", "texts-changed", "Documentation only; requests and responses are unchanged."],
  "version-changed": ["safe", "version-changed", "The version number itself does not affect clients."],
} as const satisfies Readonly<Record<string, ContractCodeRow>>;

export type ContractCode = keyof typeof CONTRACT_CODES;
