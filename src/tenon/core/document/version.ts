import { isNode, toText } from "./node.js";

/** The reason why a document is not OpenAPI 3.0 or 3.1, and its pointer. */
export interface VersionProblem {
  readonly pointer: string;
  readonly message: string;
  readonly hint?: string;
}

const CONVERTERS = "Convert it first, for example with swagger2openapi or at https://converter.swagger.io";

/** @returns undefined if the document is OpenAPI 3.0 or 3.1. */
export function findVersionProblem(document: unknown): VersionProblem | undefined {
  const { openapi, swagger } = isNode(document) ? document : {};
  if (/^3\.[01]\.\d/.test(toText(openapi) ?? "")) return undefined;
  const message = "The document must be OpenAPI 3.0 or 3.1, found";
  if (openapi !== undefined || swagger === undefined)
    return { pointer: "#/openapi", message: `${message} ${describe(document)}` };
  // Without quotes, 2.0 is the number 2.
  const version =
    typeof swagger === "number" ? swagger.toFixed(1) : (toText(swagger) ?? JSON.stringify(swagger));
  return { pointer: "#/swagger", message: `${message} Swagger ${version}`, hint: CONVERTERS };
}

function describe(document: unknown): string {
  if (document === undefined || document === null) return "an empty file";
  if (!isNode(document)) return "no object";
  const { openapi, asyncapi } = document;
  if (openapi === undefined) return asyncapi === undefined ? "no `openapi`" : "AsyncAPI";
  const advice = typeof openapi === "number" ? "; write it in quotes, with all three parts" : "";
  return `"openapi: ${typeof openapi === "string" ? openapi : JSON.stringify(openapi)}"${advice}`;
}
