import {
  type BaseResolver,
  bundle,
  type Config,
  detectSpec,
  type Document,
  lintDocument,
  type NormalizedProblem,
} from "@redocly/openapi-core";
import {
  ContractError,
  createProblem,
  isNode,
  isSelfContained,
  joinPointer,
  type Node,
  type Problem,
  resolveDynamicReferences,
  type SourcePosition,
} from "tenon/core/document";
import { ContainedResolver, type ReadFile } from "./contained-resolver.js";
import { collectOrigins, createLocate, type Locate, type Origins, toPosition, toStart } from "./locate.js";
import { findInvalidParts, leaveOut, type Part } from "./leave-out.js";
import { readOverlaid, readRoot, throwOnErrors } from "./read-document.js";
import { toProblems } from "./redocly-problems.js";
import { leaveCallingOut, withRequiredRules } from "./required-rules.js";

export interface LoadedContract {
  /** A self-contained OpenAPI document; the parts of other files are in its components. */
  readonly document: Node;
  /** Warnings. Errors are thrown. */
  readonly problems: readonly Problem[];
  readonly locate: Locate;
  /** Absolute paths of all files of the contract, its root first. */
  readonly files: readonly string[];
}

export interface LoadOptions {
  /** Lints the contract before it is bundled. Default: true. With false, the caller calls {@link lintContract}. */
  readonly lint?: boolean;
  /** Reads a file by its absolute path. Default: from disk. URLs are fetched. */
  readonly read?: ReadFile;
  /** Absolute paths of the overlays. Default: those of redocly.yaml. */
  readonly overlays?: readonly string[] | undefined;
  /** Parts to remove. Default: none. */
  readonly leftOut?: readonly Part[];
}

/**
 * Reads a contract and the files it refers to, lints it with redocly.yaml's rules and the required rules, and bundles it into one
 * document.
 * @param file Absolute path of the root document.
 * @param config Redocly's configuration for this API.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function loadContract(
  file: string,
  given: Config,
  { lint = true, read, overlays, leftOut = [] }: LoadOptions = {},
): Promise<LoadedContract> {
  const config = withRequiredRules(given);
  const resolver = new ContainedResolver(file, config, read, overlays);
  const { root, problems: ignored } = await readRoot(file, resolver, leftOut);
  const problems = [...ignored, ...(lint ? await findLintProblems(root, { config, resolver }) : [])];
  const { origins } = resolver;
  if (isNode(root.parsed) && isBundle(root.parsed, config)) {
    const found = withoutDynamicReferences(root.parsed, () => collectOrigins(root, origins));
    return { ...found, problems, files: await listFiles(resolver) };
  }
  collectOrigins(root, origins);
  const bundled = await guard(file, () => bundle({ doc: root, config, externalRefResolver: resolver }));
  problems.push(
    ...(await toProblems(
      bundled.problems,
      ({ severity }) => (severity === "error" ? "reference-unresolved" : "component-renamed"),
      resolver,
    )),
  );
  throwOnErrors(problems);

  const document = bundled.bundle.parsed as Node;
  resolver.restoreExamples(document);
  return {
    ...withoutDynamicReferences(document, () => origins),
    problems,
    files: await listFiles(resolver),
  };
}

/**
 * Finds the parts of a contract without which it has none of these errors, each with its first error.
 * @returns undefined if an error belongs to no part.
 */
export async function findParts(
  file: string,
  config: Config,
  { errors, read, leftOut }: Pick<LoadOptions, "read" | "leftOut"> & { readonly errors: readonly Problem[] },
): Promise<ReadonlyMap<Part, Problem> | undefined> {
  const resolver = new ContainedResolver(file, config, read);
  const { root } = await readOverlaid(file, resolver);
  await leaveOut(leftOut ?? [], resolver);
  return findInvalidParts(root, errors, resolver);
}

/** Resolves `$dynamicRef`; the schemas that were copied for it have the positions of the author's. */
function withoutDynamicReferences(
  bundled: Node,
  findOrigins: () => Origins,
): Pick<LoadedContract, "document" | "locate"> {
  const { document, copies } = resolveDynamicReferences(bundled);
  const locate = createLocate(document, () => {
    const origins = findOrigins();
    for (const [copy, original] of copies) {
      const origin = origins.get(original);
      if (origin !== undefined) origins.set(copy, origin);
    }
    return origins;
  });
  return { document, locate };
}

/** Tests whether bundling a document changes nothing, so that it need not be bundled. */
export function isBundle(document: Node, { decorators, preprocessors }: Config): boolean {
  const version = detectSpec(document);
  const changes = { ...decorators[version], ...preprocessors[version] };
  return Object.keys(changes).length === 0 && isSelfContained(document);
}

/** Severity of the rules to run. Assertions of redocly.yaml count as errors. */
export type RuleSeverity = "error" | "warn";

/**
 * Lints a contract without bundling it.
 * @param severity Default: all rules are run.
 * @returns Warnings.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function lintContract(
  file: string,
  given: Config,
  severity?: RuleSeverity,
): Promise<readonly Problem[]> {
  const config = withRequiredRules(given);
  if (severity !== undefined) leaveOthersOut(config, severity);
  const resolver = new ContainedResolver(file, config);
  const { root } = await readRoot(file, resolver);
  return findLintProblems(root, { config, resolver });
}

function leaveOthersOut({ rules: byVersion }: Config, severity: RuleSeverity): void {
  for (const rules of Object.values(byVersion)) {
    for (const [name, rule] of Object.entries(rules)) {
      const isWarning = (typeof rule === "string" ? rule : rule.severity) === "warn";
      if (isWarning !== (severity === "warn")) rules[name] = "off";
    }
  }
}

async function findLintProblems(
  document: Document,
  { config, resolver }: { readonly config: Config; readonly resolver: BaseResolver },
): Promise<Problem[]> {
  const left = await leaveRulesOut(document, config, resolver);
  const found = await guard(document.source.absoluteRef, () =>
    lintDocument({ document, config, externalRefResolver: resolver }),
  );
  const valid = found.filter((problem) => !isBooleanSchema(problem, document));
  const problems = [...left, ...(await toProblems(valid, ({ ruleId }) => ruleId, resolver))];
  throwOnErrors(problems);
  return problems;
}

/**
 * Tests for a problem with a schema that is a boolean. Redocly only accepts it as the value of some keywords.
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-4.3.2
 */
function isBooleanSchema({ ruleId, message }: NormalizedProblem, { parsed }: Document): boolean {
  const isUnexpected = message === "Expected type `Schema` (object) but got `boolean`";
  return ruleId === "struct" && isUnexpected && detectSpec(parsed) !== "oas3_0";
}

/**
 * Turns off the rules that would throw on a property called `hasOwnProperty`.
 * @returns a warning for each.
 */
async function leaveRulesOut(
  root: Document,
  config: Config,
  resolver: BaseResolver,
): Promise<readonly Problem[]> {
  const position = [root, ...(await listDocuments(resolver))].flatMap(
    (document) => findMember(document, "hasOwnProperty") ?? [],
  )[0];
  if (position === undefined) return [];
  const message = "The rule is off for this contract: it cannot read a property of this name";
  return leaveCallingOut(config).map((code) => ({ code, severity: "warning", message, ...position }));
}

/** Finds the first member of a name. */
function findMember(document: Document, name: string): SourcePosition | undefined {
  const { source } = document;
  if (!source.body.includes(name)) return undefined;
  for (const [object, { pointer = "#" }] of collectOrigins(document, new Map()))
    if (Object.hasOwn(object, name))
      return toPosition({ source, pointer: joinPointer(pointer, name), reportOnKey: true });
  return undefined;
}

/** Lists every file that was read. */
async function listFiles(resolver: BaseResolver): Promise<readonly string[]> {
  return (await listDocuments(resolver)).map(({ source }) => source.absoluteRef);
}

/** Lists every document that was read. Unreadable files have already been reported. */
async function listDocuments({ cache }: BaseResolver): Promise<readonly Document[]> {
  const results = await Promise.allSettled(cache.values());
  return results.flatMap((result) =>
    result.status === "rejected" || result.value instanceof Error ? [] : [result.value],
  );
}

/**
 * Runs Redocly over a contract. An error that it or a rule throws becomes a problem of the file.
 * @throws {ContractError} `lint-failed`, or `expansion-limit` if the stack overflows; the error is its cause.
 */
async function guard<Result>(file: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof ContractError) throw cause;
    if (cause instanceof RangeError) {
      const text = "References lead from schema to schema through more levels than can be read";
      throw new ContractError([createProblem("expansion-limit", text, toStart(file))], { cause });
    }
    const message = `Redocly, or a rule or decorator in redocly.yaml, threw an error: ${describe(cause)}`;
    throw new ContractError([createProblem("lint-failed", message, toStart(file))], { cause });
  }
}

/** Describes an error with the line that threw it, which the author of a rule needs. */
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const [, at] = /\n\s+at (.*)/.exec(cause.stack ?? "") ?? [];
  return at === undefined ? String(cause) : `${String(cause)}, at ${at}`;
}
