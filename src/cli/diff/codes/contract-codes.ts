import type { Level } from "../change.js";

const GONE = "Calls that worked before now fail.";
const NEW = "Everything that existed before is unchanged.";
const WITHOUT = "Messages without it are no longer valid.";
const AS_BEFORE = "What was valid stays valid.";
const UNDESCRIBED = "Clients can receive values that the old contract did not describe.";
const METADATA = "Metadata only; requests and responses are unchanged.";
const ENDED = "Its announced sunset date has passed.";
const NO_LONGER_SENT = "Clients that use it no longer receive it.";
const NAMED_AFTER = "Generated clients name their functions after it.";
const IGNORED = "The service ignores what clients send in it.";
const DESCRIBED = "Clients receive only what the old contract described.";
const SUFFICIENT = "More credentials are sufficient than before.";
const ACCEPTED = "Responses of clients that were accepted still are.";
const NOT_ACCEPTED = "Clients that respond with it are no longer understood.";
const NEVER_SENT = "Clients that rely on it never receive it.";

export type ContractCodeRow = readonly [level: Level, why: string];

/** Every difference outside of schemas. */
export const CONTRACT_CODES = {
  "operation-added": ["safe", NEW],
  "operation-removed": ["breaking", GONE],
  "operation-removed-after-sunset": ["safe", ENDED],
  "operation-id-added": ["safe", NEW],
  "operation-id-removed": ["risky", NAMED_AFTER],
  "operation-id-changed": ["risky", NAMED_AFTER],
  "operation-tag-added": ["safe", METADATA],
  "operation-tag-removed": ["safe", METADATA],
  "operation-deprecated": ["safe", METADATA],
  "operation-undeprecated": ["safe", METADATA],
  "sunset-added": ["safe", METADATA],
  "sunset-removed": ["risky", "It stays deprecated without a sunset date."],
  "sunset-earlier": ["breaking", "Clients were promised more time."],
  "sunset-later": ["safe", "Clients have more time than promised."],
  "deprecated-since-changed": ["safe", METADATA],
  "replacement-changed": ["safe", METADATA],
  "stability-raised": ["safe", "The contract promises more stability than before."],
  "stability-lowered": ["breaking", "The contract promises less stability than before."],
  "lifecycle-invalid": ["breaking", "The value cannot be read; it may promise clients less than before."],
  "lifecycle-valid": [
    "risky",
    "The old value could not be read: clients may have been promised something else.",
  ],

  "request-parameter-added": ["safe", "It may be omitted."],
  "request-required-parameter-added": ["breaking", WITHOUT],
  "request-parameter-removed": [
    "breaking",
    "Services that enforce the contract reject the parameter; others ignore it.",
  ],
  "request-required-parameter-removed": [
    "breaking",
    "All clients send the parameter, and services that enforce the contract reject it.",
  ],
  "request-header-removed": ["risky", IGNORED],
  "request-required-header-removed": ["risky", IGNORED],
  "request-parameter-removed-after-sunset": ["safe", ENDED],
  "request-parameter-became-required": ["breaking", WITHOUT],
  "request-parameter-became-optional": ["safe", AS_BEFORE],
  "request-parameter-serialization-changed": ["breaking", "Clients must serialize the value in another way."],
  "request-parameter-empty-allowed": ["safe", AS_BEFORE],
  "request-parameter-empty-forbidden": ["breaking", "Empty values are no longer valid."],
  "request-parameter-reserved-allowed": ["safe", AS_BEFORE],
  "request-parameter-reserved-forbidden": ["breaking", "Unescaped reserved characters are no longer valid."],
  "request-parameter-deprecated": ["safe", METADATA],
  "request-parameter-undeprecated": ["safe", METADATA],

  "request-body-added": ["safe", "The body may be omitted."],
  "request-required-body-added": ["breaking", WITHOUT],
  "request-body-removed": ["breaking", "The service rejects or ignores what clients send."],
  "request-body-became-required": ["breaking", WITHOUT],
  "request-body-became-optional": ["safe", AS_BEFORE],
  "request-media-type-added": ["safe", AS_BEFORE],
  "request-media-type-removed": ["breaking", "Bodies of this media type are no longer valid."],
  "request-encoding-changed": ["breaking", "Clients must serialize the field in another way."],

  "response-status-added": ["safe", "Clients usually handle statuses by their class."],
  "response-success-added": ["risky", UNDESCRIBED],
  "response-status-removed": ["safe", DESCRIBED],
  "response-success-removed": ["breaking", NEVER_SENT],
  "response-body-added": ["safe", "Clients that expect no body ignore it."],
  "response-body-removed": ["breaking", NO_LONGER_SENT],
  "response-body-became-required": ["safe", DESCRIBED],
  "response-body-became-optional": ["breaking", "Clients can receive a message without a body."],
  "response-media-type-added": ["safe", "Clients receive the media type that their `Accept` names."],
  "response-media-type-removed": ["breaking", NO_LONGER_SENT],
  "response-media-type-widened": ["breaking", UNDESCRIBED],
  "response-media-type-narrowed": ["safe", DESCRIBED],
  "response-encoding-changed": ["breaking", "Clients must parse the field in another way."],
  "response-link-added": ["safe", NEW],
  "response-link-removed": ["risky", "Clients that follow the link no longer find it."],
  "response-link-changed": ["risky", "Clients that follow the link make another call."],
  "response-header-added": ["safe", NEW],
  "response-header-removed": ["risky", NO_LONGER_SENT],
  "response-required-header-removed": ["breaking", NO_LONGER_SENT],
  "response-header-removed-after-sunset": ["safe", ENDED],
  "response-header-became-required": ["safe", DESCRIBED],
  "response-header-became-optional": ["breaking", "Clients that rely on it may not receive it."],
  "response-header-serialization-changed": ["breaking", "Clients must parse the value in another way."],
  "response-parameter-empty-allowed": ["breaking", UNDESCRIBED],
  "response-parameter-empty-forbidden": ["safe", DESCRIBED],
  "response-parameter-reserved-allowed": ["breaking", UNDESCRIBED],
  "response-parameter-reserved-forbidden": ["safe", DESCRIBED],
  "response-header-deprecated": ["safe", METADATA],
  "response-header-undeprecated": ["safe", METADATA],

  "security-tightened": ["breaking", "Credentials that were sufficient no longer are."],
  "security-loosened": ["safe", SUFFICIENT],
  "security-scope-added": ["breaking", "Credentials without the scope are rejected."],
  "security-scope-removed": ["safe", SUFFICIENT],
  "security-scheme-changed": ["breaking", "Clients must obtain or send their credentials in another way."],
  "security-flow-added": ["safe", NEW],
  "security-flow-removed": ["breaking", "Clients that use the flow can no longer obtain tokens."],
  "security-flow-scope-added": ["safe", NEW],
  "security-flow-scope-removed": ["breaking", "Clients that use the flow can no longer obtain the scope."],

  "server-added": ["safe", NEW],
  "server-removed": ["breaking", "Calls to this server fail."],
  "server-path-moved": ["risky", "Requests have the same URLs, but generated clients have other paths."],
  "server-variable-changed": ["risky", "The same URL can lead to another server."],
  "server-variable-value-added": ["safe", NEW],
  "server-variable-value-removed": ["breaking", "Calls to the server with this value fail."],

  "callback-added": ["safe", "The service only calls clients that ask for it."],
  "callback-removed": ["breaking", NEVER_SENT],
  "callback-response-added": ["safe", ACCEPTED],
  "callback-response-removed": ["breaking", NOT_ACCEPTED],
  "webhook-added": ["safe", NEW],
  "webhook-removed": ["breaking", NEVER_SENT],
  "webhook-response-added": ["safe", ACCEPTED],
  "webhook-response-removed": ["breaking", NOT_ACCEPTED],

  "tool-added": ["safe", NEW],
  "tool-removed": ["breaking", "Agents that call the tool no longer find it."],
  "tool-renamed": ["breaking", "Agents that call the tool by its old name no longer find it."],
  "tool-argument-renamed": ["breaking", "Calls with the old name of the argument fail."],
  "tool-title-changed": ["safe", "Clients show it; calls are unchanged."],
  "tool-description-changed": ["risky", "Models choose tools by their descriptions, and follow them."],
  "tool-hints-tightened": ["safe", "Clients may ask the user before each call."],
  "tool-hints-loosened": ["risky", "Clients may call the tool without asking the user."],

  "texts-changed": ["safe", "Documentation only; requests and responses are unchanged."],
  "version-changed": ["safe", "The version number itself does not affect clients."],
} as const satisfies Readonly<Record<string, ContractCodeRow>>;

export type ContractCode = keyof typeof CONTRACT_CODES;
