import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { emitHeader, type EmitOptions } from "./text.js";

/** Keywords whose members are named by the contract's author, so that one of them may be called `example`. */
const NAME_MAPS = new Set([
  "properties",
  "patternProperties",
  "schemas",
  "headers",
  "parameters",
  "responses",
  "$defs",
]);

/**
 * Emits types.ts, from which the client takes its types. The only file that touches openapi-typescript, whose maintenance
 * has ended.
 * @param document The bundled document.
 * @throws when openapi-typescript cannot turn the document into types.
 */
export async function emitTypes(document: object, { source }: EmitOptions): Promise<string> {
  const nodes = await openapiTS(copy(document, false) as OpenAPI3, { silent: true });
  // A lone surrogate in a description cannot be written to a file, and would look like a change ever after.
  return `${emitHeader(source)}${astToString(nodes).toWellFormed()}`;
}

/**
 * Copies the document, because openapi-typescript changes what it is given, and leaves out examples with a `$ref` in them,
 * which is data that openapi-typescript would try to resolve.
 */
function copy(value: unknown, named: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, false));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => named || key !== "example" || !JSON.stringify(member).includes('"$ref"'))
      .map(([key, member]) => [key, copy(member, !named && NAME_MAPS.has(key))]),
  );
}
