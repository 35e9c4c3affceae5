import { buildBasePath } from "./build-base-path.js";
import { buildOperations } from "./build-operations.js";
import { buildWebhooks } from "./build-outgoing.js";
import { buildSchema } from "./build-schema.js";
import {
  type DocumentContext,
  getSchemas,
  isNode,
  type Located,
  members,
  resolve,
  toText,
} from "./document.js";
import { getOwn, joinPointer } from "../document/pointer.js";
import { reportHeaderName } from "./header-name.js";
import { expandHierarchies, isBase } from "./hierarchy.js";
import { toTypeName } from "../model/names.js";
import type { Contract, NamedSchema, SecurityScheme } from "./model.js";
import { reportSchemaCircles } from "./schema-circles.js";

/**
 * Builds the model of a bundled OpenAPI 3.0 or 3.1 document. What cannot be built is reported and left out, so that one
 * run reports everything: use the model only when nothing was reported.
 */
export function buildModel({ document, report }: DocumentContext): Contract {
  const info = getOwn(document, "info");
  const declared = getOwn(document, "components");
  const components = isNode(declared) ? declared : {};
  const node = { ...components, schemas: expandHierarchies(getSchemas(document)) };
  const root: Located = { node, pointer: "#/components" };
  const context = { document: { ...document, components: node }, report };
  const schemas = buildSchemas(root, context);
  reportSchemaCircles(schemas, context);
  const basePath = buildBasePath(context);
  const operations = buildOperations({
    ...context,
    basePath,
    schemas: new Map(schemas.map((named) => [named.name, named])),
  });
  return {
    title: getText(info, "title"),
    version: getText(info, "version"),
    basePath,
    operations,
    webhooks: buildWebhooks(context),
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
  const typeNames = nameTypes(Object.keys(declared), (name, typeName, owner) => {
    const message = `The type of schema "${name}" is ${typeName}, because "${owner}" has the name already`;
    context.report("name-changed", joinPointer(parent.pointer, name), message, "Rename one of them");
  });
  return Object.keys(declared).map((name) => ({
    name,
    typeName: typeNames.get(name) ?? "",
    schema: buildSchema(parent, name, context),
  }));
}

/** The author's names first: a name that was made for the base of a hierarchy gives way. */
function nameTypes(
  names: readonly string[],
  onClash: (name: string, typeName: string, owner: string) => void,
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const typeNames = new Map<string, string>();
  const [made, declared] = [true, false].map((is) => names.filter((name) => isBase(name) === is));
  for (const name of [...(declared ?? []), ...(made ?? [])]) {
    let typeName = toTypeName(name);
    const owner = owners.get(typeName);
    while (owners.has(typeName)) typeName += "_";
    if (owner !== undefined && !isBase(name)) onClash(name, typeName, owner);
    owners.set(typeName, name);
    typeNames.set(name, typeName);
  }
  return typeNames;
}

function buildSecuritySchemes(components: Located, context: DocumentContext): readonly SecurityScheme[] {
  return members(components, "securitySchemes").map(({ name, ...scheme }) => {
    const found = resolve(scheme, context);
    if (found) reportHeaderName(found, `the credential of security scheme "${name}"`, context.report);
    const description = toText(found?.node["description"]);
    return { name, ...(description !== undefined && { description }) };
  });
}
