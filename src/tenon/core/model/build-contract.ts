import { type Node, toNode, toText } from "../document/node.js";
import { getOwn } from "../document/pointer.js";
import type { LookUp } from "../document/source.js";
import { SchemaRegistry } from "../schema/registry.js";
import type { Schema } from "../schema/schema.js";
import { buildOperations } from "./build-operations.js";
import { buildWebhooks } from "./build-outgoing.js";
import { buildSchemas, reportSchemas } from "./build-schemas.js";
import { buildSecurity, buildSecuritySchemes } from "./build-security.js";
import { buildServers, findBasePath } from "./build-servers.js";
import type { BuildContext, Report } from "./context.js";
import type { Contract, MediaType } from "./contract.js";

export interface BuildOptions {
  /** Gets every problem of the contract; what has one is left out. Default: problems are not looked for. */
  readonly report?: Report;
  /** Finds what references lead to elsewhere than in the document. Default: nothing. */
  readonly lookUp?: LookUp;
  /** Pointer of the document itself. Default: `#`. */
  readonly root?: string;
}

/**
 * Builds the model of an OpenAPI 3.0 or 3.1 document. Use it only when nothing was reported.
 * @param document Parsed; its references lead into itself, unless `lookUp` finds others.
 * @example
 * const { operations } = buildContract(JSON.parse(text));
 */
export function buildContract(document: Node, options: BuildOptions = {}): Contract {
  const { report = () => undefined } = options;
  const registry = new SchemaRegistry(document, {
    ...options,
    onUnresolved: (reference, pointer) => {
      report("reference-unresolved", pointer, `Cannot resolve $ref "${reference}"`);
    },
  });
  const { source } = registry;
  const context: BuildContext = { source, registry, report };
  const info = toNode(getOwn(document, "info"));
  const description = toText(info["description"]);
  const schemas = buildSchemas(context);
  const servers = buildServers(source.root);
  const basePath = findBasePath(servers, context);
  const securitySchemes = buildSecuritySchemes(context);
  const security = buildSecurity(source.root, securitySchemes, context) ?? [];
  const operations = buildOperations({ basePath, security, securitySchemes }, context);
  const contract: Contract = {
    openapi: toText(document["openapi"]) ?? "",
    title: toText(info["title"]) ?? "",
    version: toText(info["version"]) ?? "",
    ...(description !== undefined && { description }),
    basePath,
    servers,
    operations,
    webhooks: buildWebhooks(context),
    schemas,
    registry,
    securitySchemes,
    security,
  };
  if (options.report) reportSchemas(listSchemas(contract), context);
  return contract;
}

/** Every schema of a contract that no other schema contains. */
export function* listSchemas({ operations, webhooks, schemas }: Contract): Iterable<Schema> {
  for (const { schema } of schemas) yield schema;
  for (const { parameters, requestBody, responses, callbacks } of operations) {
    for (const { schema } of parameters) yield schema;
    yield* ofContent(requestBody?.mediaTypes);
    yield* ofResponses(responses);
    for (const outgoing of callbacks) yield* ofOutgoing(outgoing);
  }
  for (const outgoing of webhooks) yield* ofOutgoing(outgoing);
}

function* ofOutgoing({ requestBody, responses }: Contract["webhooks"][number]): Iterable<Schema> {
  yield* ofContent(requestBody?.mediaTypes);
  yield* ofResponses(responses);
}

function* ofResponses(responses: Contract["operations"][number]["responses"]): Iterable<Schema> {
  for (const { headers, mediaTypes } of responses) {
    for (const { schema } of headers) yield schema;
    yield* ofContent(mediaTypes);
  }
}

function* ofContent(mediaTypes: readonly MediaType[] = []): Iterable<Schema> {
  for (const { schema } of mediaTypes) if (schema) yield schema;
}
