import { getItems, type Located, type Node, pickTexts, toNode, toText } from "../document/node.js";
import { getOwn } from "../document/pointer.js";
import type { LookUp, Source } from "../document/source.js";
import { SchemaRegistry } from "../schema/registry.js";
import type { Schema } from "../schema/schema.js";
import { buildOperations, buildPathItems } from "./build-operations.js";
import { buildWebhooks } from "./build-outgoing.js";
import { buildSchemas, reportSchemas } from "./build-schemas.js";
import { buildSecurity, buildSecuritySchemes } from "./build-security.js";
import { buildServers, findBasePaths } from "./build-servers.js";
import { type BuildContext, lazily, type Report, resolve } from "./context.js";
import { type MediaType, toItemList } from "./content.js";
import type { Components, Contract, Tag } from "./contract.js";
import { toRequestBody, toResponses } from "./build-content.js";
import { toHeaders, toParameters } from "./build-parameters.js";

export interface BuildOptions {
  /** Receives every problem of the contract; parts with a problem are left out. Default: problems are not reported. */
  readonly report?: Report;
  /** Reads every schema immediately, to report its problems. Default: true. */
  readonly reportSchemas?: boolean;
  /** Finds the targets of references in the author's documents, see `RegistryOptions`. Default: within the document. */
  readonly lookUp?: LookUp;
}

/** @see https://spec.openapis.org/oas/v3.2.0#openapi-object */
function reportSelf({ node }: Located, { report }: BuildContext): void {
  const self = getOwn(node, "$self");
  if (typeof self !== "string" || (URL.canParse(self, "https://a.example/") && !/[#\s]/.test(self))) return;
  report(
    "self-invalid",
    "#/$self",
    `$self must be a URI reference without a fragment, found ${JSON.stringify(self)}`,
  );
}

/**
 * Builds the model of an OpenAPI 3.0, 3.1 or 3.2 document. Use the model only if no error was reported.
 * @param document Parsed and self-contained, unless `lookUp` finds the targets of other references.
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
  reportSelf(source.root, context);
  const info = toNode(getOwn(document, "info"));
  const schemas = buildSchemas(context);
  const servers = buildServers(source.root);
  const [basePath = "", ...otherPaths] = findBasePaths(servers, context);
  const securitySchemes = buildSecuritySchemes(context);
  const security = buildSecurity(source.root, securitySchemes, context) ?? [];
  const pathItems = buildPathItems(context);
  const operations = buildOperations(pathItems, { security, securitySchemes }, context);
  const contract: Contract = {
    openapi: toText(document["openapi"]) ?? "",
    title: toText(info["title"]) ?? "",
    version: toText(info["version"]) ?? "",
    ...pickTexts(info, "description"),
    basePath,
    basePaths: [basePath, ...otherPaths],
    servers,
    tags: buildTags(source.root),
    pathItems: pathItems.map(({ pathItem }) => pathItem),
    operations,
    webhooks: buildWebhooks(context),
    schemas,
    registry,
    components: buildComponents(context),
    securitySchemes,
    security,
  };
  if (options.report && options.reportSchemas !== false) reportSchemas(listSchemas(contract), context);
  return contract;
}

function buildTags(root: Located): readonly Tag[] {
  return getItems(root, "tags").map(({ node, pointer }) => {
    const displayName = toText(node["x-displayName"]) ?? toText(node["summary"]);
    return {
      pointer,
      name: toText(node["name"]) ?? "",
      ...(displayName !== undefined && { displayName }),
      ...pickTexts(node, "description", "parent", "kind"),
    };
  });
}

/** Lists the top-level schemas of a contract. */
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
  for (const { schema, items } of mediaTypes) {
    if (schema) yield schema;
    if (items) yield items.parts ? toItemList(items) : items.schema;
  }
}

type Reference = ReturnType<Source["components"]>[number];

/** Builds the components when they are first read. Their problems are reported where they are used. */
export function buildComponents(reporting: BuildContext): Components {
  const context = { ...reporting, report: () => undefined };
  const build = <T>(kind: string, toList: (reference: Reference) => readonly T[]): ReadonlyMap<string, T> =>
    new Map(
      context.source
        .components(kind)
        .flatMap((reference) => toList(reference).map((built) => [reference.name, built] as const)),
    );
  return lazily<Components>({
    parameters: () => build("parameters", (reference) => toParameters(reference, context)),
    headers: () => build("headers", (reference) => toHeaders(reference, context)),
    requestBodies: () =>
      build("requestBodies", (reference) => {
        const body = resolve(reference, context);
        const label = `request body "${reference.name}"`;
        return body ? [toRequestBody(body, { label, receivesForms: true }, context)] : [];
      }),
    responses: () =>
      build("responses", (reference) => toResponses(reference, `response "${reference.name}"`, context)),
  });
}
