import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import {
  type BaseResolver,
  type Document,
  isAbsoluteUrl,
  type NormalizedProblem,
  YamlParseError,
} from "@redocly/openapi-core";
import {
  type ContractProblemCode,
  getByPointer,
  getOwn,
  getReference,
  hasComponent,
  isNode,
  joinPointer,
  parsePointer,
  type Problem,
  type SourcePosition,
  toComponentReference,
  toReferencePointer,
  toText,
} from "tenon/core/document";
import { ForbiddenReference } from "./contained-resolver.js";
import { toPosition } from "./locate.js";
import { describeFileError, describeSyntax } from "./read-document.js";
import { findNearest, findOnly, suggest } from "../output/nearest.js";

/**
 * Converts Redocly's problems without duplicates. Those in its ignore file are left out.
 * @param toCode Code of a problem, by the rule that found it.
 * @param resolver The one that read the documents.
 */
export async function toProblems(
  found: readonly NormalizedProblem[],
  toCode: (problem: NormalizedProblem) => string,
  resolver: BaseResolver,
): Promise<Problem[]> {
  const problems = new Map<string, Problem>();
  const unparsed = new Map<string, string>();
  for (const problem of found) {
    const [location] = problem.location;
    if (problem.ignored === true || location === undefined) continue;
    const { message } = problem;
    const { unparsedFile, ...explained } = (await explain(problem, resolver)) ?? {};
    const converted: Problem = {
      code: toCode(problem),
      severity: problem.severity === "error" ? "error" : "warning",
      message,
      ...toPosition(location),
      ...toHint(problem),
      ...(await toFix(problem, resolver)),
      ...explained,
    };
    const key = JSON.stringify(converted);
    problems.set(key, converted);
    if (unparsedFile !== undefined) unparsed.set(key, unparsedFile);
  }
  // A reference to a file with a syntax error is good once that error is fixed.
  const invalid = [...problems.values()].filter(({ code }) => code === "document-syntax");
  for (const [key, file] of unparsed)
    if (invalid.some((problem) => problem.file === file)) problems.delete(key);
  return [...problems.values()];
}

/** Creates a hint, unless the message already lists the values of an `enum`. */
function toHint({ message, suggest: values }: NormalizedProblem): { readonly hint?: string } {
  if (values.length === 0 || message.includes("allowed values")) return {};
  const shown = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return suggest([...new Set(shown)].join(", "));
}

/** Names that a message allows: `in` can be one of the following only: "query", "header". */
const ALLOWED = /can be one of the following only: (.*?)\.?$/s;

/** Finds the only change that fixes a misspelt name, the value of an enum, or the URL of a server. */
async function toFix(
  { ruleId, message, suggest: suggested, location: [location] }: NormalizedProblem,
  resolver: BaseResolver,
): Promise<Pick<Problem, "fix">> {
  const { pointer, source } = location ?? {};
  const [, allowed] = ALLOWED.exec(message) ?? [];
  const isServer = ruleId === "no-server-trailing-slash";
  if (pointer === undefined || source === undefined || (suggested.length === 0 && !allowed && !isServer))
    return {};
  const document = await resolver.resolveDocument(null, source.absoluteRef);
  if (document instanceof Error || !isNode(document.parsed)) return {};
  if (allowed !== undefined || isServer) {
    const value = toText(getByPointer(document.parsed, pointer)) ?? "";
    const texts = Array.from(allowed?.matchAll(/"([^"]+)"/g) ?? [], ([, text = ""]) => text);
    const text = isServer ? value.replace(/\/+$/, "") : findOnly(value, texts);
    return text === undefined || text === ""
      ? {}
      : { fix: { pointer: toPosition({ source, pointer }).pointer, change: "value", text } };
  }
  const keys = parsePointer(pointer);
  const parent = getByPointer(document.parsed, joinPointer("#", ...keys.slice(0, -1)));
  const key = keys.at(-1) ?? "";
  const text = findOnly(key, suggested.map(String));
  if (text === undefined || !isNode(parent) || !Object.hasOwn(parent, key) || Object.hasOwn(parent, text))
    return {};
  return { fix: { pointer: toPosition({ source, pointer }).pointer, change: "key", text } };
}

interface Explained extends Pick<Problem, "message" | "hint" | "fix">, Partial<SourcePosition> {
  readonly code: ContractProblemCode;
  /** Absolute path of the file that cannot be parsed. */
  readonly unparsedFile?: string;
}

/** Explains an unresolved reference. Redocly does not report its target, and only the absolute path of a missing file. */
async function explain(
  { message, location: [location] }: NormalizedProblem,
  resolver: BaseResolver,
): Promise<Explained | undefined> {
  const [, syntax] = /^Failed to parse: (.*)$/s.exec(message) ?? [];
  if (syntax !== undefined) return { code: "document-syntax", message: describeSyntax({ message: syntax }) };
  if (!message.startsWith("Can't resolve $ref") || location?.pointer === undefined) return undefined;

  const document = await resolver.resolveDocument(null, location.source.absoluteRef);
  if (document instanceof Error || !isNode(document.parsed)) return undefined;
  const { pointer } = location;
  const value = pointer === "#/" ? document.parsed : getByPointer(document.parsed, pointer);
  // A discriminator's mapping has references without `$ref`.
  const reference = isNode(value) ? getReference(value) : toText(value);
  if (reference !== undefined) {
    const at = isNode(value) ? toReferencePointer(pointer) : pointer;
    return explainUnresolved({ reference, at, document, resolver });
  }
  const example = isNode(value) ? toText(value["externalValue"]) : undefined;
  if (example === undefined) return undefined;
  const at = joinPointer(pointer, "externalValue");
  return explainUnresolved({ reference: example, at, isExample: true, document, resolver });
}

interface Unresolved {
  readonly reference: string;
  /** Its pointer in the document. */
  readonly at: string;
  /** True if it is the `externalValue` of an example. */
  readonly isExample?: boolean;
  /** The document that contains the reference. */
  readonly document: Document;
  /** The resolver that read, or tried to read, the file of the target. */
  readonly resolver: BaseResolver;
}

/** Explains why a reference cannot be resolved, and suggests the nearest existing name. */
async function explainUnresolved(unresolved: Unresolved): Promise<Explained> {
  const { reference, at, isExample = false, document, resolver } = unresolved;
  const code = "reference-unresolved";
  const [uri = "", fragment] = reference.split("#", 2);
  const failure = isExample ? "Cannot resolve externalValue" : "Cannot resolve $ref";
  const message = `${failure} ${JSON.stringify(reference)}`;
  let target = document;
  if (uri !== "") {
    const { absoluteRef } = document.source;
    try {
      const found = await resolver.resolveDocument(absoluteRef, uri);
      if (found instanceof Error) throw found;
      target = found;
    } catch (error) {
      const { originalError } = error as { readonly originalError?: unknown };
      if (originalError instanceof ForbiddenReference)
        return { code: "reference-forbidden", message: `${message}: ${originalError.message}` };
      const path = resolver.resolveExternalRef(absoluteRef, uri);
      if (error instanceof YamlParseError)
        return { code, message: `${message}: the file cannot be parsed`, unparsedFile: path };
      return {
        code,
        message: `${message}: ${describeFileError(error)}`,
        ...correct(document, at, (find) => nearestFile(uri, path, { document, find })),
      };
    }
  }
  if (!isNode(target.parsed)) return { code, message: `${message}: the file does not contain an object` };
  const pointer = `#${fragment ?? "/"}`;
  const value = pointer === "#/" ? target.parsed : getByPointer(target.parsed, pointer);
  const next = isNode(value) ? getReference(value) : undefined;
  // The target is a reference itself, and the one that cannot be resolved.
  if (next !== undefined)
    return {
      ...toPosition({ source: target.source, pointer }),
      ...(await explainUnresolved({
        reference: next,
        at: toReferencePointer(pointer),
        document: target,
        resolver,
      })),
    };
  const { parsed } = target;
  return {
    code,
    message,
    ...correct(document, at, (find) => {
      const nearest = nearestPointer(`#${fragment ?? ""}`, parsed, find);
      return nearest && `${uri}${nearest}`;
    }),
  };
}

type Find = typeof findNearest;

/** Suggests the nearest target of a reference, which is a fix if it is the only one that can be meant. */
function correct(
  { source }: Document,
  at: string,
  find: (find: Find) => string | undefined,
): Pick<Problem, "hint" | "fix"> {
  const text = find(findOnly);
  const { pointer } = toPosition({ source, pointer: at });
  return {
    ...suggest(find(findNearest)),
    ...(text !== undefined && { fix: { pointer, change: "value", text } }),
  };
}

/** Finds a similar file of the folder, or the component of that name. */
function nearestFile(
  uri: string,
  path: string,
  { document: { parsed }, find }: { readonly document: Document; readonly find: Find },
): string | undefined {
  if (hasComponent(parsed, uri)) return toComponentReference(uri);
  if (isAbsoluteUrl(path)) return undefined;
  const name = basename(path);
  const nearest = find(name, listFolder(dirname(path)));
  return nearest === undefined ? undefined : uri.slice(0, uri.length - name.length) + nearest;
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the pointer with each unknown key replaced by the nearest existing one. */
function nearestPointer(fragment: string, document: object, find: Find): string | undefined {
  let [value, pointer]: [unknown, string] = [document, "#"];
  for (const key of parsePointer(fragment)) {
    if (typeof value !== "object" || value === null) return undefined;
    const known = Object.hasOwn(value, key) ? key : find(key, Object.keys(value));
    if (known === undefined) return undefined;
    value = getOwn(value, known);
    pointer = joinPointer(pointer, known);
  }
  return pointer === fragment || pointer === "#" ? undefined : pointer;
}
