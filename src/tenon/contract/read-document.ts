import { type BaseResolver, type Document, YamlParseError } from "@redocly/openapi-core";
import { ContractError, type ContractProblemCode } from "../errors.js";
import { isNode, toText } from "./document.js";
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
  const found = swagger ? `Swagger ${String(parsed["swagger"])}` : describeVersion(parsed);
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
  return `"openapi: ${JSON.stringify(openapi)}"${isNumber}`;
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
