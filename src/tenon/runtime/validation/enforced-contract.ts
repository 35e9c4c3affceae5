import { isSchema, type Schemas } from "../../core/legacy/discriminator.js";
import { expandHierarchies, redirect } from "../../core/legacy/hierarchy.js";
import { type ContractDocument, dereference, getByReference } from "../contract-document.js";
import { type SchemaContext, type Side, toEnforcedSchema } from "./enforced-schema.js";
import type { OperationDescriptor } from "../operation.js";
import { toKey } from "../parameters/parameter-name.js";

type Node = Readonly<Record<string, unknown>>;

/** What one side of a contract enforces: all references but those to schemas are followed, see {@link toEnforcedSchema}. */
export interface EnforcedSide<Enforced> {
  readonly operations: ReadonlyMap<OperationDescriptor, Enforced>;
  /** Schemas that others refer to, by the URI that they are referred to by. */
  readonly schemas: ReadonlyMap<string, unknown>;
}

export interface EnforcedRequest {
  /** By {@link toKey}, path item's and operation's. */
  readonly parameters: ReadonlyMap<string, EnforcedParameter>;
  /** Of the request body, by media type as declared. */
  readonly content: EnforcedContent;
}

/** By status code, range or `default`. */
export type EnforcedResponses = ReadonlyMap<string, EnforcedResponse>;

export interface EnforcedParameter {
  readonly required: boolean;
  /** With its default beside it where that stands behind a reference. */
  readonly schema: Node;
}

export interface EnforcedResponse {
  readonly headers: ReadonlyMap<string, EnforcedParameter>;
  readonly content: EnforcedContent;
}

/** Schemas by media type; a media type without a schema is not in it. */
export type EnforcedContent = ReadonlyMap<string, EnforcedSchema>;

export interface EnforcedSchema {
  readonly schema: object | boolean;
  /** What `type` says, behind references; empty when it says nothing. */
  readonly types: readonly string[];
}

/** @throws when the document lacks an operation, and when a reference leads nowhere. */
export function enforceRequests(
  document: ContractDocument,
  operations: readonly OperationDescriptor[],
): EnforcedSide<EnforcedRequest> {
  return enforce(document, operations, "request", ({ pathItem, node }, schemas) => ({
    parameters: mergeParameters(document, pathItem, node, schemas.toParameter),
    content: toContent(dereference(document, node["requestBody"] ?? {}) as Node, schemas),
  }));
}

/** @throws when the document lacks an operation, when its responses are no object, and when a reference leads nowhere. */
export function enforceResponses(
  document: ContractDocument,
  operations: readonly OperationDescriptor[],
): EnforcedSide<EnforcedResponses> {
  return enforce(document, operations, "response", ({ node }, schemas) =>
    toResponses(node["responses"], document, schemas),
  );
}

interface Found {
  readonly pathItem: Node;
  /** The operation. */
  readonly node: Node;
}

function enforce<Enforced>(
  document: ContractDocument,
  operations: readonly OperationDescriptor[],
  side: Side,
  toEnforced: (found: Found, schemas: SchemaCopies) => Enforced,
): EnforcedSide<Enforced> {
  const schemas = createSchemas(document, side);
  const enforced = operations.map(
    (operation) => [operation, toEnforced(findOperation(document, operation), schemas)] as const,
  );
  return { operations: new Map(enforced), schemas: schemas.collect() };
}

interface SchemaCopies {
  readonly toSchema: (schema: unknown) => EnforcedSchema;
  /** Of a Parameter or Header Object. */
  readonly toParameter: (parameter: Node) => EnforcedParameter;
  /** What the copies refer to, by URI; call it last. */
  readonly collect: () => ReadonlyMap<string, unknown>;
}

/**
 * Copies schemas, and gives a URI to each that one of them refers to: absolute, so that it is the same from anywhere, and
 * made of a number, because the validator cannot compile just any name that a contract has. A plain name of a component stands
 * behind it, for messages.
 */
function createSchemas(contract: ContractDocument, side: Side): SchemaCopies {
  const schemas: Schemas = expandHierarchies(contract.components?.schemas ?? {});
  const document = { ...contract, components: { ...contract.components, schemas } };
  const uris = new Map<unknown, string>();
  const lookUp = (reference: string) => getByReference(document, redirect(reference, schemas));
  const context: SchemaContext = {
    side,
    impliesTypes: true,
    dialect30: contract.openapi.startsWith("3.0."),
    schemas,
    lookUp,
    refer: (reference) => {
      const target = lookUp(reference);
      const uri = uris.get(target) ?? `contract:S${uris.size}${toUriName(reference)}`;
      uris.set(target, uri);
      return uri;
    },
  };
  const resolve = (schema: unknown): unknown => {
    const seen = new Set<unknown>();
    let node = schema;
    while (isSchema(node) && typeof node["$ref"] === "string" && !seen.has(node)) {
      seen.add(node);
      node = lookUp(node["$ref"]);
    }
    return node;
  };
  return {
    toSchema: (schema) => {
      const target = resolve(schema);
      const declared = isSchema(target) ? target["type"] : undefined;
      const types = ([] as unknown[]).concat(declared ?? []).map(String);
      return { schema: toEnforcedSchema(schema, context) as object | boolean, types };
    },
    toParameter: ({ required, schema, content }) => {
      const [mediaType] = isSchema(content) ? (Object.values(content) as readonly Node[]) : [];
      const declared = schema ?? mediaType?.["schema"] ?? {};
      const target = resolve(declared);
      const copy = toEnforcedSchema(declared, context);
      return {
        required: required === true,
        schema: {
          ...(isSchema(copy) ? copy : { allOf: [copy] }),
          // The validator applies defaults that stand here, and a parameter's counts behind a reference too.
          ...(isSchema(target) && target["default"] !== undefined && { default: target["default"] }),
        },
      };
    },
    collect: () => {
      const copies = new Map<string, unknown>();
      // A copy may be the first to refer to more, which the loop then comes to.
      for (const [target, uri] of uris) copies.set(uri, toEnforcedSchema(target, context));
      return copies;
    },
  };
}

function toUriName(reference: string): string {
  const name = /^#\/components\/schemas\/(?<name>\w+)$/.exec(reference)?.groups?.["name"];
  return name === undefined ? "" : `:${name}`;
}

function findOperation(document: ContractDocument, { id, path, method }: OperationDescriptor): Found {
  const paths = toObject(document.paths ?? {}, "paths", document);
  const pathItem = Object.hasOwn(paths, path) ? (dereference(document, paths[path]) as Node) : {};
  const node = pathItem[method];
  if (isSchema(node)) return { pathItem, node };
  throw new Error(
    `The contract has no operation ${method.toUpperCase()} ${path} ("${id}"); generate it anew`,
  );
}

/** The path item's parameters, each replaced by the operation's of the same name and place. */
function mergeParameters(
  document: ContractDocument,
  pathItem: Node,
  operation: Node,
  toParameter: SchemaCopies["toParameter"],
): ReadonlyMap<string, EnforcedParameter> {
  const declared = [pathItem["parameters"], operation["parameters"]].flatMap((list) =>
    Array.isArray(list) ? (list as readonly unknown[]) : [],
  );
  const merged = new Map(
    declared.map((reference) => {
      const parameter = dereference(document, reference) as Node;
      return [toKey(parameter as unknown as Parameters<typeof toKey>[0]), parameter];
    }),
  );
  return new Map([...merged].map(([key, parameter]) => [key, toParameter(parameter)]));
}

function toContent({ content }: Node, { toSchema }: SchemaCopies): EnforcedContent {
  return new Map(
    Object.entries(isSchema(content) ? content : {}).flatMap(([name, mediaType]) => {
      const schema = isSchema(mediaType) ? mediaType["schema"] : undefined;
      return schema === undefined ? [] : [[name, toSchema(schema)] as const];
    }),
  );
}

function toResponses(
  responses: unknown,
  document: ContractDocument,
  schemas: SchemaCopies,
): EnforcedResponses {
  // OpenAPI 3.1 lets them be absent.
  const declared = Object.entries(toObject(responses ?? {}, "responses", document)).filter(
    ([key]) => !key.startsWith("x-"),
  );
  return new Map(
    declared.map(([key, reference]) => {
      const response = dereference(document, reference) as Node;
      const headers = Object.entries(isSchema(response["headers"]) ? response["headers"] : {});
      return [
        key,
        {
          content: toContent(response, schemas),
          headers: new Map(
            headers.map(([name, header]) => [
              name.toLowerCase(),
              schemas.toParameter(dereference(document, header) as Node),
            ]),
          ),
        },
      ];
    }),
  );
}

function toObject(value: unknown, what: string, { openapi }: ContractDocument): Node {
  if (isSchema(value)) return value;
  throw new Error(`The contract is not a valid OpenAPI ${openapi} document: ${what} must be an object`);
}
