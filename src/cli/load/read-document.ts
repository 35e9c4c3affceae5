import { type BaseResolver, type Document, YamlParseError } from "@redocly/openapi-core";
import { ContractError, type ContractProblemCode } from "tenon/core/document/contract-error";
import { isNode, toText } from "tenon/core/legacy/document";
import { joinPointer } from "tenon/core/document/pointer";
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

/** @throws {ContractError} `document-version` when a document is not OpenAPI 3.0 or 3.1. */
export function assertVersion({ parsed, source }: Document): void {
  const version = isNode(parsed) ? parsed["openapi"] : undefined;
  if (/^3\.[01]\.\d/.test(toText(version) ?? "")) return;
  const swagger = isNode(parsed) && version === undefined && parsed["swagger"] !== undefined;
  const { line, column } = toPosition({
    source,
    pointer: swagger ? "#/swagger" : "#/openapi",
    reportOnKey: true,
  });
  const found = swagger ? `Swagger ${toVersion(parsed["swagger"])}` : describeVersion(parsed);
  throw toContractError(
    "document-version",
    source.absoluteRef,
    `The document must be OpenAPI 3.0 or 3.1, found ${found}`,
    { line, col: column },
    swagger
      ? "Convert it first, for example with swagger2openapi or at https://converter.swagger.io"
      : undefined,
  );
}

function describeVersion(parsed: unknown): string {
  if (parsed === undefined || parsed === null) return "an empty file";
  if (!isNode(parsed)) return "no object";
  const { openapi, asyncapi } = parsed;
  if (openapi === undefined) return asyncapi === undefined ? "no `openapi`" : "AsyncAPI";
  const isNumber = typeof openapi === "number" ? "; write it in quotes, with all three parts" : "";
  return `"openapi: ${typeof openapi === "string" ? openapi : JSON.stringify(openapi)}"${isNumber}`;
}

/** Without quotes, 2.0 is the number 2. */
function toVersion(swagger: unknown): string {
  return typeof swagger === "number" ? swagger.toFixed(1) : String(swagger);
}

/**
 * An anchor that contains its own alias has no end, and nothing that could be written to contract.json.
 * @throws {ContractError} `document-syntax`.
 */
export function assertFinite({ parsed, source }: Document): void {
  const [within, done] = [new Set<unknown>(), new Set<unknown>()];
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== "object" || value === null || done.has(value)) return;
    if (within.has(value)) {
      const { line, column } = toPosition({ source, pointer, reportOnKey: true });
      const message = "A YAML alias must not be within what it stands for";
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
  // The parser does not know the place of every error.
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
