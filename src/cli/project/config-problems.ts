import { type BaseResolver, type Config, lintConfig, type Source } from "@redocly/openapi-core";
import type { ContractProblemCode } from "tenon/core/document/contract-error";
import { isNode, type Located, members, type Node } from "tenon/core/legacy/document";
import { joinPointer, parsePointer } from "tenon/core/document/pointer";
import { toPosition } from "../load/locate.js";
import { toHint } from "../load/nearest.js";
import type { Problem } from "tenon/core/document/problem";
import { toProblems } from "../load/redocly-problems.js";
import { REQUIRED_RULES, withOwnPlugin } from "../load/required-rules.js";
import { RULE_OPTIONS } from "../load/rule-options.js";

/** `rules`, or those of one version: `oas3_1Rules`. */
const RULES = /^rules$|Rules$/;
/** What every rule takes. */
const COMMON_OPTIONS = ["severity", "message"];

/** The redocly.yaml that problems are looked for in. */
export interface ConfigContext {
  readonly source: Source;
  /** As it is parsed. */
  readonly document: Node;
  readonly config: Config;
  /** Which read it. */
  readonly resolver: BaseResolver;
}

/**
 * Finds what nobody would read, or not as it was meant: what Redocly says of redocly.yaml when it is asked to, and rules and options
 * that there are not, which it does not tell. Other tools may have keys of their own in the file; one is told when its name is near
 * one that means something.
 */
export async function findConfigProblems(context: ConfigContext): Promise<readonly Problem[]> {
  const { document } = context;
  const root: Located = { node: document, pointer: "#" };
  const apis = members(root, "apis");
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
    // Whether a rule is known is found out below, by names that can be suggested.
    if (path.some((key) => RULES.test(key))) return isInRule(path);
    return path.length > 1 || hint !== undefined;
  });
}

/** Whether a path leads below a rule, and not to one. */
function isInRule(path: readonly string[]): boolean {
  return path.length - path.findIndex((key) => RULES.test(key)) > 2;
}

function findRuleProblems(
  owner: Located,
  key: string,
  { config, source }: ConfigContext,
): readonly Problem[] {
  const rules = owner.node[key];
  if (!isNode(rules)) return [];
  const known = listRules(config);
  return Object.entries(rules).flatMap(([name, setting]) => {
    const pointer = joinPointer(owner.pointer, key, name);
    if (name.startsWith("rule/") || name === "$ref") return [];
    if (!known.has(name)) {
      const hint = toHint(name, known);
      return [toProblem("config-unknown", `There is no rule "${name}"`, { pointer, source }, hint)];
    }
    const severity = isNode(setting) ? setting["severity"] : setting;
    if (REQUIRED_RULES.includes(name) && (severity === "off" || severity === "warn")) {
      const message = `Rule ${name} is always an error, because a contract that breaks it cannot be served; found ${severity}`;
      return [toProblem("rule-required", message, { pointer, source }, { hint: "Remove the line" })];
    }
    return isNode(setting) ? findOptionProblems(name, { node: setting, pointer }, source) : [];
  });
}

function findOptionProblems(rule: string, { node, pointer }: Located, source: Source): readonly Problem[] {
  const isOthers = rule.includes("/") && !rule.startsWith("tenon/");
  if (isOthers) return [];
  const known = [...COMMON_OPTIONS, ...(RULE_OPTIONS[rule] ?? [])];
  return Object.keys(node)
    .filter((option) => !known.includes(option))
    .map((option) => {
      const at = { pointer: joinPointer(pointer, option), source };
      return toProblem("config-unknown", `Rule ${rule} has no option "${option}"`, at, toHint(option, known));
    });
}

/** Every rule of every specification, Redocly's own and those of plugins. */
function listRules({ plugins }: Config): ReadonlySet<string> {
  return new Set(
    withOwnPlugin(plugins).flatMap(({ rules }) =>
      Object.values(rules ?? {}).flatMap((ofVersion) => Object.keys(ofVersion as object)),
    ),
  );
}

function toProblem(
  code: ContractProblemCode,
  message: string,
  { source, pointer }: { readonly source: Source; readonly pointer: string },
  hint: { readonly hint?: string },
): Problem {
  const place = toPosition({ source, pointer, reportOnKey: true });
  return { code, severity: "error", message, ...place, ...hint };
}
