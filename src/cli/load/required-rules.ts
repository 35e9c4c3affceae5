import { Config, type RuleConfig } from "@redocly/openapi-core";
import createPlugin from "../lint/index.js";

/**
 * Rules that decide whether a contract can be served. They are always errors, regardless of redocly.yaml and its presets. Without
 * them, a mistake would only show when the service starts, or never.
 */
export const REQUIRED_RULES: readonly string[] = [
  "struct",
  "no-unresolved-refs",
  "operation-parameters-unique",
  "tenon/default-conforms",
  "tenon/path-parameter-declared",
  "tenon/schema-compiles",
];

/** Settings of rules that redocly.yaml can change. */
const DEFAULTS: Readonly<Record<string, RuleConfig>> = {
  // The misspelling of a keyword is an error, because the schema would accept values that its author excluded.
  "tenon/schema-keyword-known": { severity: "error", others: "warn" },
  // A project can accept the risk.
  "tenon/pattern-linear": "error",
};

/** Built-in rules for OpenAPI 3.2 that redocly.yaml can change. */
const DEFAULTS_3_2: Readonly<Record<string, RuleConfig>> = {
  "spec-example-values": "error",
  "spec-no-invalid-encoding-combinations": "error",
  "spec-discriminator-defaultMapping": "warn",
  "spec-no-invalid-tag-parents": "warn",
};

/** Built-in rules that report the same as a required rule. */
const REPLACED = ["path-parameters-defined", "path-params-defined"];

/** Built-in rules that call the method `hasOwnProperty` of objects of the contract, and throw where a property has its name. */
const CALLING = [
  "no-illogical-composition-keywords",
  "no-required-schema-properties-undefined",
  "scalar-property-missing-example",
];

/**
 * Turns off the rules that throw on a property called `hasOwnProperty`.
 * @returns names of those that were on.
 */
export function leaveCallingOut({ rules: byVersion }: Config): readonly string[] {
  const removed = new Set<string>();
  for (const rules of [byVersion.oas3_0, byVersion.oas3_1, byVersion.oas3_2])
    for (const name of CALLING) {
      const setting = rules[name] ?? "off";
      if ((typeof setting === "string" ? setting : setting.severity) !== "off") removed.add(name);
      rules[name] = "off";
    }
  return [...removed];
}

/** Returns the configuration for linting and bundling: that of redocly.yaml with the required rules and the default ones. */
export function withRequiredRules(given: Config): Config {
  const { resolvedConfig, configPath, document, resolvedRefMap, ignore } = given;
  const config = new Config(resolvedConfig, {
    ...(configPath !== undefined && { configPath }),
    ...(document && { document }),
    ...(resolvedRefMap && { resolvedRefMap }),
    plugins: withOwnPlugin(given.plugins),
    ignore,
  });
  for (const rules of [config.rules.oas3_0, config.rules.oas3_1, config.rules.oas3_2]) {
    for (const rule of REQUIRED_RULES) rules[rule] = toError(rules[rule]);
    for (const [rule, setting] of Object.entries(DEFAULTS)) rules[rule] ??= setting;
    const own = rules === config.rules.oas3_2 ? DEFAULTS_3_2 : {};
    for (const [rule, setting] of Object.entries(own)) rules[rule] ??= setting;
    for (const rule of REPLACED) rules[rule] = "off";
  }
  // A `$ref` in an example is data, as in `default`, `const` and `enum`, which Redocly never resolves.
  config.doNotResolveExamples = true;
  return config;
}

/** Adds our own rules even if redocly.yaml does not name their plugin, with the names that Redocly gives to a plugin's rules. */
export function withOwnPlugin(plugins: Config["plugins"]): Config["plugins"] {
  const { id, rules, typeExtension = {} } = createPlugin();
  const named = Object.entries(rules?.oas3 ?? {}).map(([name, rule]) => [`${id}/${name}`, rule]);
  return [
    ...plugins.filter((plugin) => plugin.id !== id),
    {
      id,
      typeExtension,
      rules: { oas3: Object.fromEntries(named) as NonNullable<typeof rules>["oas3"] & object },
    },
  ];
}

function toError(setting: RuleConfig | undefined): RuleConfig {
  return typeof setting === "object" ? { ...setting, severity: "error" } : "error";
}
