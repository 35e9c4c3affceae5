import { type BaseResolver, type Document, YamlParseError } from "@redocly/openapi-core";
import {
  ContractError,
  type ContractProblemCode,
  createProblem,
  type FileReference,
  findReferenceCircles,
  findVersionProblem,
  getFile,
  joinPointer,
  listReferences,
  nameMappings,
  type Problem,
} from "tenon/core/document";
import { collectOrigins, toPosition, toStart } from "./locate.js";

/**
 * Reads one YAML or JSON file.
 * @throws {ContractError} `document-unreadable` or `document-syntax`.
 */
export async function readDocument(file: string, resolver: BaseResolver): Promise<Document> {
  try {
    const document = await resolver.resolveDocument(null, file, true);
    if (document instanceof Error) throw document;
    return document;
  } catch (error) {
    if (error instanceof YamlParseError) {
      throw toContractError("document-syntax", file, describeSyntax(error), error);
    }
    throw toContractError("document-unreadable", file, `Cannot read the file: ${describeFileError(error)}`);
  }
}

/**
 * Reads the root document of a contract, and every document that it refers to.
 * @throws {ContractError} also for a document that cannot be bundled: `document-version`, or `reference-unresolved`.
 */
export async function readRoot(file: string, resolver: BaseResolver): Promise<Document> {
  const root = await readDocument(file, resolver);
  assertVersion(root);
  assertFinite(root);
  nameMappings(root.parsed);
  throwOnErrors(await findCircleProblems(root, resolver));
  return root;
}

/** @throws {ContractError} when one of the problems is an error. */
export function throwOnErrors(problems: readonly Problem[]): void {
  if (problems.some(({ severity }) => severity === "error")) throw new ContractError(problems);
}

/** @throws {ContractError} `document-version` if the version of a document is not read. */
function assertVersion({ parsed, source }: Document): void {
  const problem = findVersionProblem(parsed);
  if (problem === undefined) return;
  const { pointer, message, hint } = problem;
  const { line, column } = toPosition({ source, pointer, reportOnKey: true });
  throw toContractError("document-version", source.absoluteRef, message, { line, col: column }, hint);
}

/**
 * Refuses an anchor that contains its own alias, because it is infinite and cannot be written to contract.json.
 * @throws {ContractError} `document-syntax`.
 */
function assertFinite({ parsed, source }: Document): void {
  const [within, done] = [new Set<unknown>(), new Set<unknown>()];
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== "object" || value === null || done.has(value)) return;
    if (within.has(value)) {
      const { line, column } = toPosition({ source, pointer, reportOnKey: true });
      const message = "A YAML alias must not be inside its own anchor";
      throw toContractError("document-syntax", source.absoluteRef, message, { line, col: column });
    }
    within.add(value);
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === "object") visit(child, joinPointer(pointer, key));
    }
    within.delete(value);
    done.add(value);
  };
  visit(parsed, "#");
}

function toContractError(
  code: ContractProblemCode,
  file: string,
  message: string,
  // The parser does not report the place of every error.
  { line, col }: { readonly line: number; readonly col: number } = { line: 1, col: 1 },
  hint?: string,
): ContractError {
  const position = { ...toStart(file), line: line || 1, column: col || 1 };
  return new ContractError([createProblem(code, message, position, hint)]);
}

/**
 * Finds circular references. Redocly throws at the first, without its position.
 * @returns one problem for each reference of a circle. Redocly reports files that cannot be read.
 */
async function findCircleProblems(root: Document, resolver: BaseResolver): Promise<readonly Problem[]> {
  const documents = new Map([[root.source.absoluteRef, root]]);
  const references: FileReference<Document>[] = [];
  // The loop also visits documents that are added meanwhile.
  for (const document of documents.values()) {
    const found = listReferences(document);
    references.push(...found);
    for (const other of await readTargets(found, resolver)) documents.set(other.source.absoluteRef, other);
  }
  const open = (path: string, { source }: Document) =>
    documents.get(resolver.resolveExternalRef(source.absoluteRef, path));
  return findReferenceCircles(references, open).map(toCircleProblem);
}

async function readTargets(
  references: readonly FileReference<Document>[],
  resolver: BaseResolver,
): Promise<readonly Document[]> {
  const reads = references.flatMap(({ file, reference }) => {
    const path = getFile(reference);
    return path === "" ? [] : [resolver.resolveDocument(file.source.absoluteRef, path)];
  });
  const results = await Promise.allSettled(reads);
  return results.flatMap((result) =>
    result.status === "rejected" || result.value instanceof Error ? [] : [result.value],
  );
}

function toCircleProblem({ file, node, reference }: FileReference<Document>): Problem {
  const origin = collectOrigins(file, new Map()).get(node);
  const position = toPosition(origin ?? { source: file.source, pointer: "#/" });
  return createProblem("reference-unresolved", `$ref ${JSON.stringify(reference)} is circular`, position);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
  ENOENT: "there is no such file",
  ENOTDIR: "part of its path is not a folder",
};

/** Describes why a file could not be read or parsed, without its path: `there is no such file`. */
export function describeFileError(error: unknown): string {
  if (error instanceof YamlParseError) return describeSyntax(error);
  // Redocly wraps Node's error.
  const { originalError = error } = error as { readonly originalError?: unknown };
  const { code = "", message, cause } = originalError as NodeJS.ErrnoException;
  if (message.startsWith("Expected a file but received a folder")) return "it is a folder";
  // An error of `fetch` has the reason only in its cause.
  const detail = cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
  return REASONS[code] ?? `${message}${detail}`;
}

/** Returns the parser's message without the path and position at its end, which the problem already has. */
export function describeSyntax({ message }: Pick<Error, "message">): string {
  return message.replace(/ in "[^"]*" \(\d+:\d+\)$/, "").replace(/ \(\d+:\d+\)$/, "");
}
