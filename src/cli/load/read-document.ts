import { type BaseResolver, type Document, isAbsoluteUrl, YamlParseError } from "@redocly/openapi-core";
import {
  ContractError,
  type ContractProblemCode,
  createProblem,
  type FileReference,
  findReferenceCircles,
  findVersionProblem,
  getByPointer,
  getFile,
  joinPointer,
  listReferences,
  listUnusedMappings,
  nameMappings,
  type Problem,
  type SourcePosition,
  toNode,
  toText,
} from "tenon/core/document";
import { type ContainedResolver, ForbiddenReference } from "./contained-resolver.js";
import { assertComposable } from "./expansion.js";
import { leaveOut, type Part } from "./leave-out.js";
import { collectOrigins, toPosition, toStart } from "./locate.js";
import { applyOverlays } from "./overlays.js";

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
    if (error instanceof ContractError) throw error;
    if (error instanceof YamlParseError) {
      throw toContractError("document-syntax", file, describeSyntax(error), error);
    }
    throw toContractError("document-unreadable", file, `Cannot read the file: ${describeFileError(error)}`);
  }
}

/** The root document of a contract, and warnings about it. */
interface Root {
  readonly root: Document;
  readonly problems: readonly Problem[];
}

/**
 * Reads the root document of a contract with its overlays, and every document that it refers to.
 * @throws {ContractError} also for a document that cannot be bundled: `document-version`, or `reference-unresolved`.
 */
export async function readRoot(
  file: string,
  resolver: ContainedResolver,
  leftOut: readonly Part[] = [],
): Promise<Root> {
  const { root, problems: found } = await readOverlaid(file, resolver);
  assertVersion(root);
  await leaveOut(leftOut, resolver);
  nameMappings(root.parsed);
  const problems = [...found, ...(await leaveMappingsOut(root, resolver))];
  throwOnErrors(await findReferenceProblems(root, resolver));
  return { root, problems };
}

/**
 * Reads the root document of a contract, and applies its overlays.
 * @throws {ContractError} also for an overlay that cannot be applied.
 */
export async function readOverlaid(file: string, resolver: ContainedResolver): Promise<Root> {
  const root = await readDocument(file, resolver);
  const overlays = await Promise.all(resolver.overlays.map((overlay) => readDocument(overlay, resolver)));
  const problems = [
    ...overlays.flatMap((overlay) => findExtendsProblem(overlay, root, resolver) ?? []),
    ...applyOverlays(root, overlays),
  ];
  throwOnErrors(problems);
  if (overlays.length > 0) resolver.resolveSelf(root);
  return { root, problems };
}

/** Reports an overlay for another document. A URL can name a copy of a file, so they are not compared. */
function findExtendsProblem(
  { source, parsed }: Document,
  root: Document,
  resolver: BaseResolver,
): Problem | undefined {
  const target = toText(toNode(parsed)["extends"]);
  if (target === undefined) return undefined;
  const path = resolver.resolveExternalRef(source.absoluteRef, target);
  const { absoluteRef } = root.source;
  const isSame = path === absoluteRef || target === toNode(root.parsed)["$self"];
  if (isSame || isAbsoluteUrl(path) !== isAbsoluteUrl(absoluteRef)) return undefined;
  const message = `\`extends\` names another document, ${JSON.stringify(target)}; the overlay is still applied`;
  return createProblem("overlay-extends", message, toPosition({ source, pointer: "#/extends" }));
}

/**
 * Removes the values of mappings that lead to no schema, where no value would select one: OpenAPI's discriminator is a hint, and the
 * alternatives themselves decide. Elsewhere they stay, and are errors.
 * @returns a warning for each.
 */
async function leaveMappingsOut(root: Document, resolver: BaseResolver): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const { source } = root;
  const unused = listUnusedMappings(root.parsed);
  const origins = unused.length === 0 ? undefined : collectOrigins(root, new Map());
  for (const mapping of unused)
    for (const [value, target] of Object.entries(mapping)) {
      if (typeof target !== "string" || !(await isMissing(target, root, resolver))) continue;
      const pointer = joinPointer(origins?.get(mapping)?.pointer ?? "#", value);
      const message = `${JSON.stringify(target)} does not exist, and is ignored`;
      problems.push(createProblem("mapping-ignored", message, toPosition({ source, pointer })));
      Reflect.deleteProperty(mapping, value);
    }
  return problems;
}

/** Tests whether a reference leads to no value. One that is forbidden is not read. */
async function isMissing(reference: string, file: Document, resolver: BaseResolver): Promise<boolean> {
  const path = getFile(reference);
  const target = path === "" ? file : await readTarget({ file, reference }, resolver);
  if (target === undefined || target instanceof ForbiddenReference) return target === undefined;
  const pointer = reference.slice(path.length);
  return pointer.length > 1 && getByPointer(toNode(target.parsed), pointer) === undefined;
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
 * Finds references that must not be followed, and those that are circular, at which Redocly throws without a position. Redocly
 * reports files that cannot be read.
 * @returns one problem for each reference.
 * @throws {ContractError} for a document that would be too large without its references and aliases.
 */
async function findReferenceProblems(root: Document, resolver: BaseResolver): Promise<readonly Problem[]> {
  const documents = new Map([[root.source.absoluteRef, root]]);
  const references: FileReference<Document>[] = [];
  const forbidden: Problem[] = [];
  // The loop also visits documents that are added meanwhile.
  for (const document of documents.values()) {
    const found = listReferences(document);
    references.push(...found);
    const targets = found.map(
      async (reference) => [reference, await readTarget(reference, resolver)] as const,
    );
    for (const [reference, target] of await Promise.all(targets)) {
      if (target instanceof ForbiddenReference) forbidden.push(toForbiddenProblem(reference, target));
      else if (target !== undefined) documents.set(target.source.absoluteRef, target);
    }
  }
  const open = (path: string, { source }: Document) =>
    documents.get(resolver.resolveExternalRef(source.absoluteRef, path));
  const problems = [...forbidden, ...findReferenceCircles(references, open).map(toCircleProblem)];
  if (problems.length === 0) assertComposable([...documents.values()], open);
  return problems;
}

/** Reads the file of a reference; undefined for a reference within its own file, and if the file cannot be read. */
async function readTarget(
  { file, reference }: Pick<FileReference<Document>, "file" | "reference">,
  resolver: BaseResolver,
): Promise<Document | ForbiddenReference | undefined> {
  const path = getFile(reference);
  if (path === "") return undefined;
  try {
    const document = await resolver.resolveDocument(file.source.absoluteRef, path);
    return document instanceof Error ? undefined : document;
  } catch (error) {
    if (error instanceof ContractError) throw error;
    const { originalError } = error as { readonly originalError?: unknown };
    return originalError instanceof ForbiddenReference ? originalError : undefined;
  }
}

function toForbiddenProblem(reference: FileReference<Document>, { message }: ForbiddenReference): Problem {
  const text = `Cannot resolve $ref ${JSON.stringify(reference.reference)}: ${message}`;
  return createProblem("reference-forbidden", text, findPosition(reference, false));
}

function toCircleProblem(reference: FileReference<Document>): Problem {
  const message = `$ref ${JSON.stringify(reference.reference)} is circular`;
  return createProblem("reference-unresolved", message, findPosition(reference));
}

function findPosition({ file, node }: FileReference<Document>, reportOnKey = true): SourcePosition {
  const origin = collectOrigins(file, new Map()).get(node);
  return toPosition({ source: file.source, pointer: "#/", ...origin, reportOnKey });
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
