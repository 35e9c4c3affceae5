import type { Level } from "../change.js";

export const POLICIES = ["strict", "default", "lenient"] as const;

/** Decides the levels of changes where the specification leaves freedom to clients or services. */
export type Policy = (typeof POLICIES)[number];

type PolicyLevels = Readonly<Record<Exclude<Policy, "default">, Level>>;

const toLevels = (strict: Level, lenient: Level): PolicyLevels => ({ strict, lenient });

/** The changes whose level depends on the policy, by subject. The default policy has the levels of the codes. */
const SUBJECTS: Readonly<Record<string, Readonly<Record<string, PolicyLevels>>>> = {
  defaults: {
    "request-default-added": toLevels("risky", "safe"),
    "request-default-changed": toLevels("breaking", "safe"),
    "request-default-removed": toLevels("breaking", "safe"),
    "response-default-changed": toLevels("risky", "safe"),
    "response-default-removed": toLevels("risky", "safe"),
  },
  enums: {
    "response-enum-value-added": toLevels("breaking", "safe"),
    "response-extensible-enum-value-added": toLevels("risky", "safe"),
    "request-extensible-enum-added": toLevels("breaking", "safe"),
    "request-extensible-enum-value-removed": toLevels("breaking", "safe"),
  },
  security: {
    "security-loosened": toLevels("risky", "safe"),
    "security-scope-removed": toLevels("risky", "safe"),
    "security-scope-added": toLevels("breaking", "risky"),
    "security-flow-removed": toLevels("breaking", "risky"),
  },
  servers: {
    "server-removed": toLevels("breaking", "risky"),
    "server-variable-changed": toLevels("breaking", "safe"),
    "server-variable-value-removed": toLevels("breaking", "risky"),
  },
  "unknown properties": {
    "request-optional-property-removed": toLevels("breaking", "safe"),
    "request-required-property-removed": toLevels("breaking", "safe"),
    "response-additional-properties-allowed": toLevels("breaking", "safe"),
    "response-closed-property-added": toLevels("breaking", "safe"),
    "response-closed-required-property-added": toLevels("breaking", "safe"),
  },
  responses: {
    "response-status-added": toLevels("risky", "safe"),
    "response-success-added": toLevels("breaking", "safe"),
  },
  tools: {
    "tool-description-changed": toLevels("risky", "safe"),
    "tool-hints-loosened": toLevels("breaking", "safe"),
  },
  lifecycle: {
    ...ofLifecycle("sunset-removed", toLevels("breaking", "safe")),
    ...ofLifecycle("sunset-earlier", toLevels("breaking", "risky")),
    ...ofLifecycle("stability-lowered", toLevels("breaking", "risky")),
    ...ofLifecycle("lifecycle-invalid", toLevels("breaking", "risky")),
    ...ofLifecycle("lifecycle-valid", toLevels("breaking", "safe")),
  },
};

/** Levels of a change of an operation, parameter or header, and of a schema in either direction. */
function ofLifecycle(name: string, levels: PolicyLevels): Readonly<Record<string, PolicyLevels>> {
  return Object.fromEntries(
    [name, `request-schema-${name}`, `response-schema-${name}`].map((code) => [code, levels]),
  );
}

const LEVELS: Readonly<Record<string, PolicyLevels>> = Object.assign(
  {},
  ...Object.values(SUBJECTS),
) as Readonly<Record<string, PolicyLevels>>;

/** Returns the level that a policy gives to a change. Undefined: the level of its code. */
export function findPolicyLevel(policy: Policy, code: string): Level | undefined {
  return policy === "default" ? undefined : LEVELS[code]?.[policy];
}

/** Lists the codes whose level depends on the policy. */
export function listPolicyCodes(): readonly string[] {
  return Object.keys(LEVELS);
}
