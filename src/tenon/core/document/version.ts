import { isNode, type Node, toText } from "./node.js";

/** The versions of OpenAPI that are read. They differ in the meaning of schema keywords. */
const DIALECTS = ["3.0", "3.1", "3.2"] as const;

export type Dialect = (typeof DIALECTS)[number];

/** `3.0, 3.1 or 3.2`, for messages. */
export const VERSIONS = DIALECTS.join(", ").replace(/, ([^,]*)$/, " or $1");

/** @returns undefined if the document is of another version. */
export function findDialect(document: Node): Dialect | undefined {
  const [, version] = /^(\d+\.\d+)\.\d/.exec(toText(document["openapi"]) ?? "") ?? [];
  return DIALECTS.find((dialect) => dialect === version);
}

/** The reason why a document cannot be read, and its pointer. */
export interface VersionProblem {
  readonly pointer: string;
  readonly message: string;
  readonly hint?: string;
}

const CONVERTERS = "Convert it first, for example with swagger2openapi or at https://converter.swagger.io";

/** @returns undefined if the document has a version that is read. */
export function findVersionProblem(document: unknown): VersionProblem | undefined {
  const node = isNode(document) ? document : {};
  const { openapi, swagger } = node;
  if (findDialect(node) !== undefined) return undefined;
  const message = `The document must be OpenAPI ${VERSIONS}, found`;
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
