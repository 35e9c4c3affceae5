import { type BaseResolver, type Document, YamlParseError } from "@redocly/openapi-core";
import {
  ContractError,
  type ContractProblemCode,
  findVersionProblem,
  joinPointer,
} from "tenon/core/document";
import { describeFileError, describeSyntax } from "./file-error.js";
import { toPosition } from "./locate.js";

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

/** @throws {ContractError} `document-version` if the version of a document is not read. */
export function assertVersion({ parsed, source }: Document): void {
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
export function assertFinite({ parsed, source }: Document): void {
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
  return new ContractError([
    {
      code,
      severity: "error",
      message,
      file,
      line: Number.isNaN(line) ? 1 : line,
      column: Number.isNaN(col) ? 1 : col,
      pointer: "#/",
      ...(hint !== undefined && { hint }),
    },
  ]);
}
