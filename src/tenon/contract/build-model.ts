import { buildBasePath } from "./build-base-path.js";
import { buildOperations } from "./build-operations.js";
import { buildSchema } from "./build-schema.js";
import {
  type DocumentContext,
  getOwn,
  isNode,
  joinPointer,
  type Located,
  members,
  resolve,
  toText,
} from "./document.js";
import { toTypeName } from "./identifier.js";
import type { Contract, NamedSchema, SecurityScheme } from "./model.js";
import { reportSchemaCircles } from "./schema-circles.js";

/**
 * Builds the model of a bundled OpenAPI 3.0 or 3.1 document. What cannot be built is reported and left out, so that one
 * run reports everything: use the model only when nothing was reported.
 */
export function buildModel(context: DocumentContext): Contract {
  const info = getOwn(context.document, "info");
  const components = getOwn(context.document, "components");
  const root: Located = { node: isNode(components) ? components : {}, pointer: "#/components" };
  const schemas = buildSchemas(root, context);
  reportSchemaCircles(schemas, context);
  return {
    title: getText(info, "title"),
    version: getText(info, "version"),
    basePath: buildBasePath(context),
    operations: buildOperations({
      ...context,
      schemas: new Map(schemas.map((named) => [named.name, named])),
    }),
    schemas,
    securitySchemes: buildSecuritySchemes(root, context),
  };
}

function getText(node: unknown, key: string): string {
  return (isNode(node) ? toText(node[key]) : undefined) ?? "";
}

function buildSchemas({ node, pointer }: Located, context: DocumentContext): readonly NamedSchema[] {
  const declared = getOwn(node, "schemas");
  if (!isNode(declared)) return [];
  const parent = { node: declared, pointer: joinPointer(pointer, "schemas") };
  const owners = new Map<string, string>();
  return Object.keys(declared).map((name) => {
    const typeName = toTypeName(name);
    const owner = owners.get(typeName);
    if (owner === undefined) owners.set(typeName, name);
    else {
      const message = `Cannot name the types of both schemas "${owner}" and "${name}" ${typeName}`;
      context.report("name-clash", joinPointer(parent.pointer, name), message, "Rename one of them");
    }
    return { name, typeName, schema: buildSchema(parent, name, context) };
  });
}

function buildSecuritySchemes(components: Located, context: DocumentContext): readonly SecurityScheme[] {
  return members(components, "securitySchemes").map(({ name, ...scheme }) => {
    const description = toText(resolve(scheme, context)?.node["description"]);
    return { name, ...(description !== undefined && { description }) };
  });
}
