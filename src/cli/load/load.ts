import {
  BaseResolver,
  bundle,
  type Config,
  type Document,
  lintDocument,
  ResolveError,
  Source,
} from "@redocly/openapi-core";
import { ContractError } from "tenon/core/document/contract-error";
import { isNode, type Node } from "tenon/core/legacy/document";
import { collectOrigins, createLocate, type Locate, type Origins } from "./locate.js";
import { guard } from "./guard.js";
import { nameMappings } from "./mapping.js";
import type { Problem } from "tenon/core/document/problem";
import { assertFinite, assertVersion, readDocument } from "./read-document.js";
import { toProblems } from "./redocly-problems.js";
import { findReferenceCircles } from "./reference-circles.js";
import { withRequiredRules } from "./required-rules.js";
import { isSelfContained } from "./self-contained.js";

export interface LoadedContract {
  /** One self-contained OpenAPI document: what other files had is in its components. */
  readonly document: Node;
  /** Warnings; an error throws. */
  readonly problems: readonly Problem[];
  readonly locate: Locate;
  /** Absolute paths of every file that the contract is made of, its root first. */
  readonly files: readonly string[];
}

export interface LoadOptions {
  /** Whether the contract is linted before it is bundled. Default: true. Who says false calls {@link lintContract}. */
  readonly lint?: boolean;
  /** Reads a file by its absolute path, for contracts that are elsewhere than on disk. Default: from disk. URLs are always fetched. */
  readonly read?: ReadFile;
}

/** @throws {Error} with Node's `code`, `ENOENT` for one, when there is no such file. */
export type ReadFile = (path: string) => Promise<string>;

/**
 * Reads a contract and the files it refers to, lints it with redocly.yaml's rules and those that are always on, and bundles it into one document.
 * @param file Absolute path of the root document.
 * @param config Redocly's configuration for this API.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function loadContract(
  file: string,
  given: Config,
  { lint = true, read }: LoadOptions = {},
): Promise<LoadedContract> {
  const config = withRequiredRules(given);
  const resolver = new OriginResolver(config.resolve, read);
  const root = await readContract(file, resolver);
  const problems = lint ? await findLintProblems(root, { config, resolver }) : [];
  const { origins } = resolver;
  if (isNode(root.parsed) && isSelfContained(root.parsed, config)) {
    const document = root.parsed;
    return {
      document,
      problems,
      locate: createLocate(document, () => collectOrigins(root, origins)),
      files: [file],
    };
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
  return {
    document,
    problems,
    locate: createLocate(document, () => origins),
    files: await listFiles(resolver),
  };
}

/** Which rules are run, by their severity; assertions of redocly.yaml are with those that find errors. */
export type RuleSeverity = "error" | "warn";

/**
 * Lints a contract and nothing else.
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
  const resolver = new BaseResolver(config.resolve);
  return findLintProblems(await readContract(file, resolver), { config, resolver });
}

function leaveOthersOut({ rules: byVersion }: Config, severity: RuleSeverity): void {
  for (const rules of Object.values(byVersion)) {
    for (const [name, rule] of Object.entries(rules)) {
      const isWarning = (typeof rule === "string" ? rule : rule.severity) === "warn";
      if (isWarning !== (severity === "warn")) rules[name] = "off";
    }
  }
}

interface Reading {
  readonly config: Config;
  readonly resolver: BaseResolver;
}

async function readContract(file: string, resolver: BaseResolver): Promise<Document> {
  const root = await readDocument(file, resolver);
  assertVersion(root);
  assertFinite(root);
  nameMappings(root.parsed);
  throwOnErrors(await findReferenceCircles(root, resolver));
  return root;
}

async function findLintProblems(document: Document, { config, resolver }: Reading): Promise<Problem[]> {
  const found = await guard(document.source.absoluteRef, () =>
    lintDocument({ document, config, externalRefResolver: resolver }),
  );
  const problems = await toProblems(found, ({ ruleId }) => ruleId, resolver);
  throwOnErrors(problems);
  return problems;
}

/** Remembers where every object of the other documents was written: bundling moves them, and they keep their identity. */
class OriginResolver extends BaseResolver {
  readonly origins: Origins = new Map();

  constructor(
    config: Config["resolve"],
    readonly read: ReadFile | undefined,
  ) {
    super(config);
  }

  override async loadExternalRef(file: string): Promise<Source> {
    if (this.read === undefined || /^https?:/.test(file)) return super.loadExternalRef(file);
    try {
      return new Source(file, await this.read(file));
    } catch (error) {
      throw new ResolveError(error as Error);
    }
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const document = super.parseDocument(source, isRoot);
    if (isRoot !== true) collectOrigins(document, this.origins);
    return document;
  }
}

/** Every file that was read; what could not be read has been reported. */
async function listFiles({ cache }: BaseResolver): Promise<readonly string[]> {
  const results = await Promise.allSettled(cache.values());
  return results.flatMap((result) =>
    result.status === "rejected" || result.value instanceof Error ? [] : [result.value.source.absoluteRef],
  );
}

function throwOnErrors(problems: readonly Problem[]): void {
  if (problems.some(({ severity }) => severity === "error")) throw new ContractError(problems);
}
