import { Config, type RuleConfig } from "@redocly/openapi-core";
import createPlugin from "../lint/plugin.js";

/**
 * What decides whether a document is an OpenAPI document that can be served. These rules are on for every contract, as errors,
 * whatever redocly.yaml and its presets say: without them a mistake shows when the service starts, or never.
 */
export const REQUIRED_RULES: readonly string[] = [
  "struct",
  "no-unresolved-refs",
  "operation-parameters-unique",
  "tenon/default-conforms",
  "tenon/path-parameter-declared",
  "tenon/schema-compiles",
];

/** Would tell once more what a required rule tells. */
const REPLACED = ["path-parameters-defined", "path-params-defined"];

/** The configuration that a contract is linted and bundled with: redocly.yaml's, and what Tenon requires of every contract. */
export function withRequiredRules(given: Config): Config {
  const { resolvedConfig, configPath, document, resolvedRefMap, ignore } = given;
  const config = new Config(resolvedConfig, {
    ...(configPath !== undefined && { configPath }),
    ...(document && { document }),
    ...(resolvedRefMap && { resolvedRefMap }),
    plugins: withOwnPlugin(given.plugins),
    ignore,
  });
  for (const rules of [config.rules.oas3_0, config.rules.oas3_1]) {
    for (const rule of REQUIRED_RULES) rules[rule] = toError(rules[rule]);
    for (const rule of REPLACED) rules[rule] = "off";
  }
  // A `$ref` in an example is data, as it is in `default`, `const` and `enum`, which Redocly leaves alone anyway.
  config.doNotResolveExamples = true;
  return config;
}

/** Our own rules are there whether redocly.yaml names their plugin or not; Redocly gives rules their plugin's name when it loads them. */
export function withOwnPlugin(plugins: Config["plugins"]): Config["plugins"] {
  const { id, rules } = createPlugin();
  const named = Object.entries(rules?.oas3 ?? {}).map(([name, rule]) => [`${id}/${name}`, rule]);
  return [
    ...plugins.filter((plugin) => plugin.id !== id),
    { id, rules: { oas3: Object.fromEntries(named) as NonNullable<typeof rules>["oas3"] & object } },
  ];
}

function toError(setting: RuleConfig | undefined): RuleConfig {
  return typeof setting === "object" ? { ...setting, severity: "error" } : "error";
}
