import { type BaseResolver, type Config, lintConfig } from "@redocly/openapi-core";
import {
  getMembers,
  isNode,
  joinPointer,
  type Located,
  type Node,
  parsePointer,
  type Problem,
} from "tenon/core/document";
import type { Report } from "tenon/core/model";
import { REQUIRED_RULES, toProblems, withOwnPlugin } from "../load/index.js";
import { toHint } from "../output/nearest.js";

/** Matches `rules` and the rules of one version: `oas3_1Rules`. */
const RULES = /^rules$|Rules$/;
const COMMON_OPTIONS = ["severity", "message"];

interface ConfigContext {
  /** The parsed file. */
  readonly document: Node;
  readonly config: Config;
  /** The resolver that read it. */
  readonly resolver: BaseResolver;
  readonly toProblem: ToProblem;
}

/** Creates a problem with its position in redocly.yaml. */
export type ToProblem = (...problem: Parameters<Report>) => Problem;

/**
 * Finds keys that have no effect: the problems that Redocly finds in redocly.yaml, and unknown rules and options, which it does not
 * report. Other tools may have their own keys in the file, so an unknown key is only reported if its name is similar to a known one.
 */
export async function findConfigProblems(context: ConfigContext): Promise<readonly Problem[]> {
  const { document } = context;
  const root: Located = { node: document, pointer: "#" };
  const apis = getMembers(root, "apis");
  return [
    ...(await findRedoclyProblems(context)),
    ...[root, ...apis].flatMap(({ node, pointer }) =>
      Object.keys(node)
        .filter((key) => RULES.test(key))
        .flatMap((key) => findRuleProblems({ node, pointer }, key, context)),
    ),
  ];
}

async function findRedoclyProblems({ config, resolver }: ConfigContext): Promise<readonly Problem[]> {
  const found = await lintConfig({ config, severity: "error" });
  const isUnknown = (message: string) => message.includes("is not expected here");
  const problems = await toProblems(
    found,
    ({ message }) => (isUnknown(message) ? "config-unknown" : "config-invalid"),
    resolver,
  );
  return problems.filter(({ message, pointer, hint }) => {
    if (!isUnknown(message)) return true;
    const path = parsePointer(pointer);
    // Unknown rules are found below, with a suggestion.
    if (path.some((key) => RULES.test(key))) return isInRule(path);
    return path.length > 1 || hint !== undefined;
  });
}

/** Tests whether a path refers to a member of a rule, not to a rule itself. */
function isInRule(path: readonly string[]): boolean {
  return path.length - path.findIndex((key) => RULES.test(key)) > 2;
}

function findRuleProblems(owner: Located, key: string, context: ConfigContext): readonly Problem[] {
  const { config, toProblem } = context;
  const rules = owner.node[key];
  if (!isNode(rules)) return [];
  const known = listRules(config);
  return Object.entries(rules).flatMap(([name, setting]) => {
    const pointer = joinPointer(owner.pointer, key, name);
    if (name.startsWith("rule/") || name === "$ref") return [];
    if (!known.has(name)) {
      const { hint } = toHint(name, known);
      return [toProblem("config-unknown", pointer, `Unknown rule "${name}"`, hint)];
    }
    const severity = isNode(setting) ? setting["severity"] : setting;
    if (REQUIRED_RULES.includes(name) && (severity === "off" || severity === "warn")) {
      const message = `Rule ${name} is always an error, because a contract that breaks it cannot be served; found ${severity}`;
      return [toProblem("rule-required", pointer, message, "Remove the line")];
    }
    return isNode(setting) ? findOptionProblems(name, { node: setting, pointer }, context) : [];
  });
}

function findOptionProblems(
  rule: string,
  { node, pointer }: Located,
  { toProblem }: ConfigContext,
): readonly Problem[] {
  const isOthers = rule.includes("/") && !rule.startsWith("tenon/");
  if (isOthers) return [];
  const known = [...COMMON_OPTIONS, ...(RULE_OPTIONS[rule] ?? [])];
  return Object.keys(node)
    .filter((option) => !known.includes(option))
    .map((option) => {
      const message = `Rule ${rule} has an unknown option "${option}"`;
      return toProblem("config-unknown", joinPointer(pointer, option), message, toHint(option, known).hint);
    });
}

/** Lists every rule of every specification, built-in or from a plugin. */
function listRules({ plugins }: Config): ReadonlySet<string> {
  return new Set(
    withOwnPlugin(plugins).flatMap(({ rules }) =>
      Object.values(rules ?? {}).flatMap((ofVersion) => Object.keys(ofVersion as object)),
    ),
  );
}

/**
 * Options of each rule besides {@link COMMON_OPTIONS}, for our rules and those of the Redocly version in package.json, which ignore
 * unknown options. A rule that is missing here has none. The options of other plugins' rules are not known.
 */
const RULE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  "array-parameter-serialization": ["in"],
  "boolean-parameter-prefixes": ["prefixes"],
  "component-name-unique": ["parameters", "requestBodies", "responses", "schemas", "strategy"],
  "no-duplicated-tag-names": ["ignoreCase"],
  "no-http-verbs-in-paths": ["excludedPaths", "splitIntoWords"],
  "no-invalid-media-type-examples": ["allowAdditionalProperties"],
  "no-invalid-parameter-examples": ["allowAdditionalProperties"],
  "no-invalid-schema-examples": ["allowAdditionalProperties"],
  "operation-2xx-response": ["disallowDefault", "validateWebhooks"],
  "operation-4xx-problem-details-rfc7807": ["validateWebhooks"],
  "operation-4xx-response": ["validateWebhooks"],
  "path-http-verbs-order": ["order"],
  "path-segment-plural": ["exceptions", "ignoreLastPathSegment"],
  "request-mime-type": ["allowedValues"],
  "response-contains-header": ["names"],
  "response-contains-property": ["names"],
  "response-mime-type": ["allowedValues"],
  "security-defined": ["exceptions"],
  "security-scopes-defined": ["requireScopes"],
  "tags-alphabetical": ["ignoreCase"],
  "tenon/deprecation-named": ["required"],
  "tenon/error-body": ["mediaType", "schema"],
  "tenon/examples-conform": ["allowAdditionalProperties"],
  "tenon/schema-keyword-known": ["allow", "others"],
  "tenon/sunset-ahead": ["today", "warnDays"],
};
