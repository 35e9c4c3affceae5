import {
  BaseResolver,
  bundle,
  type Config,
  type Document,
  lintDocument,
  type NormalizedProblem,
  type Source,
  YamlParseError,
} from "@redocly/openapi-core";
import { ContractError, type ContractProblemCode } from "../errors.js";
import { isNode, type Node, toText } from "./document.js";
import { collectOrigins, createLocate, type Locate, type Origins, toPosition } from "./locate.js";
import { nameMappings } from "./mapping.js";
import type { Problem } from "./problem.js";
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
}

/**
 * Reads a contract and the files it refers to, lints it with redocly.yaml's rules, and bundles it into one document.
 * @param file Absolute path of the root document.
 * @param config Redocly's configuration for this API.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function loadContract(
  file: string,
  config: Config,
  { lint = true }: LoadOptions = {},
): Promise<LoadedContract> {
  const resolver = new OriginResolver(config.resolve);
  const root = await readContract(file, { config, resolver });
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
  const bundled = await bundle({ doc: root, config, externalRefResolver: resolver });
  problems.push(
    ...toProblems(bundled.problems, ({ severity }) =>
      severity === "error" ? "reference-unresolved" : "component-renamed",
    ),
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

/**
 * Lints a contract and nothing else.
 * @returns Warnings.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function lintContract(file: string, config: Config): Promise<readonly Problem[]> {
  const resolver = new BaseResolver(config.resolve);
  return findLintProblems(await readContract(file, { config, resolver }), { config, resolver });
}

interface Reading {
  readonly config: Config;
  readonly resolver: BaseResolver;
}

async function readContract(file: string, { config, resolver }: Reading): Promise<Document> {
  const root = await loadDocument(file, resolver);
  assertVersion(root);
  nameMappings(root.parsed);
  // A `$ref` in an example is data, as it is in `default`, `const` and `enum`, which Redocly leaves alone anyway.
  config.doNotResolveExamples = true;
  return root;
}

async function findLintProblems(document: Document, { config, resolver }: Reading): Promise<Problem[]> {
  const found = await lintDocument({ document, config, externalRefResolver: resolver });
  const problems = toProblems(found, ({ ruleId }) => ruleId);
  throwOnErrors(problems);
  return problems;
}

/** Remembers where every object of the other documents was written: bundling moves them, and they keep their identity. */
class OriginResolver extends BaseResolver {
  readonly origins: Origins = new Map();

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const document = super.parseDocument(source, isRoot);
    if (isRoot !== true) collectOrigins(document, this.origins);
    return document;
  }
}

/**
 * Reads one YAML or JSON file.
 * @throws {ContractError} `document-unreadable` or `document-syntax`.
 */
export async function loadDocument(file: string, resolver: BaseResolver): Promise<Document> {
  try {
    const document = await resolver.resolveDocument(null, file, true);
    if (document instanceof Error) throw document;
    return document;
  } catch (error) {
    if (error instanceof YamlParseError) {
      throw toContractError("document-syntax", file, error.message, error.line, error.col);
    }
    throw toContractError("document-unreadable", file, `Cannot read the file: ${(error as Error).message}`);
  }
}

/** Every file that was read; what could not be read has been reported. */
async function listFiles({ cache }: BaseResolver): Promise<readonly string[]> {
  const results = await Promise.allSettled(cache.values());
  return results.flatMap((result) =>
    result.status === "rejected" || result.value instanceof Error ? [] : [result.value.source.absoluteRef],
  );
}

function assertVersion({ parsed, source }: Document): void {
  const version = isNode(parsed) ? parsed["openapi"] : undefined;
  if (isNode(parsed) && /^3\.[01]\.\d/.test(toText(version) ?? "")) return;
  const found = isNode(parsed) ? `"openapi: ${JSON.stringify(version ?? null)}"` : "no object";
  const message = `The document must be OpenAPI 3.0 or 3.1, found ${found}`;
  const { line, column } = toPosition({ source, pointer: "#/openapi", reportOnKey: true });
  throw toContractError("document-version", source.absoluteRef, message, line, column);
}

function toContractError(
  code: ContractProblemCode,
  file: string,
  message: string,
  line = 1,
  column = 1,
): ContractError {
  return new ContractError([{ code, severity: "error", message, file, line, column, pointer: "#/" }]);
}

function toProblems(
  found: readonly NormalizedProblem[],
  toCode: (problem: NormalizedProblem) => string,
): Problem[] {
  return found.flatMap((problem) => {
    const [location] = problem.location;
    if (problem.ignored === true || location === undefined) return [];
    const { message, suggest } = problem;
    return {
      code: toCode(problem),
      severity: problem.severity === "error" ? ("error" as const) : ("warning" as const),
      message,
      ...toPosition(location),
      ...(suggest.length > 0 && { hint: `Did you mean ${suggest.join(", ")}?` }),
    };
  });
}

function throwOnErrors(problems: readonly Problem[]): void {
  if (problems.some(({ severity }) => severity === "error")) throw new ContractError(problems);
}
