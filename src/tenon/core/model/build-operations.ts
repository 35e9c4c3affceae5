import { isReplacementUrl, readLasting } from "../document/lifecycle.js";
import { getMembers, type Located, pickTexts, toNode, toStrings, toText } from "../document/node.js";
import { joinPointer } from "../document/pointer.js";
import { buildRequestBody, buildResponses } from "./build-content.js";
import { buildCallbacks } from "./build-outgoing.js";
import { buildParameters, mergeParameters, reportLifecycle, reportQuerystring } from "./build-parameters.js";
import { buildSecurity } from "./build-security.js";
import { buildServers, findBasePaths } from "./build-servers.js";
import { type BuildContext, lazily, resolve } from "./context.js";
import type { HttpMethod } from "../http/methods.js";
import type { Contract, Operation, PathItem } from "./contract.js";
import { listMethods } from "./list-methods.js";
import {
  toIdentifier,
  toMethodKeys,
  toOperationKey,
  toOperationLabel,
  toTypeName,
  UniqueNames,
} from "./names.js";

/** An operation of the document. */
interface OperationSource extends Located, Pick<Operation, "servers" | "basePaths"> {
  readonly id: string;
  readonly hasId: boolean;
  readonly method: HttpMethod;
  readonly path: string;
  readonly pathItem: PathItem;
}

/** A path item of the model, and its node. */
interface PathItemSource {
  readonly located: Located;
  readonly pathItem: PathItem;
}

/** Builds the path items of the document; their parameters are built when they are first read. */
export function buildPathItems(context: BuildContext): readonly PathItemSource[] {
  return getMembers(context.source.root, "paths").flatMap(({ name: path, ...reference }) => {
    const located = path.startsWith("x-") ? undefined : resolve(reference, context);
    if (located === undefined) return [];
    const { pointer } = located;
    const parameters = lazily({ parameters: () => buildParameters(located, context) });
    const rest = { pointer, path, declaredAt: reference.pointer, servers: buildServers(located) };
    return { located, pathItem: Object.assign(parameters, rest) };
  });
}

/**
 * Builds every operation of the document: paths in document order, then methods in the order of {@link listMethods}. Parameters,
 * bodies and responses are built when they are first read.
 */
export function buildOperations(
  pathItems: readonly PathItemSource[],
  contract: Pick<Contract, "security" | "securitySchemes">,
  context: BuildContext,
): readonly Operation[] {
  const sources = findOperations(pathItems, context);
  reportUnreachable(sources, context);
  const typeNames = nameTypes(sources, context);
  const byId = new Map(sources.filter(({ hasId }) => hasId).map((source) => [source.id, source]));
  return sources.map((source) => {
    const { id, hasId, method, path, pathItem, servers, basePaths, node, pointer } = source;
    const lasting = readLasting(node);
    reportLifecycle(source, context);
    const successor = findSuccessor(source, lasting.lifecycle?.replacedBy, byId, context);
    const content: Content = lazily<Content>({
      ownParameters: () => buildParameters(source, context),
      parameters: () => {
        const parameters = mergeParameters(pathItem.parameters, content.ownParameters);
        reportQuerystring(parameters, context);
        return parameters;
      },
      requestBody: () => buildRequestBody(source, context, true),
      responses: () => buildResponses(source, context),
      callbacks: () => buildCallbacks(source, context),
    });
    const allowsUndeclaredQuery = node["x-eov-allow-unknown-query-parameters"];
    const securityOwner = [source, context.source.root].find((owner) =>
      Object.hasOwn(owner.node, "security"),
    );
    return Object.assign(content, {
      pointer,
      id,
      hasId,
      typeName: typeNames.get(source) ?? "",
      method,
      path,
      pathItem,
      ...pickTexts(node, "summary", "description"),
      tags: toStrings(node["tags"]),
      servers,
      ...(basePaths && { basePaths }),
      ...lasting,
      security: buildSecurity(source, contract.securitySchemes, context) ?? contract.security,
      ...(securityOwner && { securityPointer: joinPointer(securityOwner.pointer, "security") }),
      ...(successor && { successor }),
      ...(node["x-pagination"] !== undefined && { pagination: node["x-pagination"] }),
      ...(typeof allowsUndeclaredQuery === "boolean" && { allowsUndeclaredQuery }),
      stub: isStub(Object.keys(toNode(node["responses"]))),
    });
  });
}

type Content = Pick<Operation, "ownParameters" | "parameters" | "requestBody" | "responses" | "callbacks">;

/** Finds every operation, and names those without an `operationId`. */
function findOperations(
  pathItems: readonly PathItemSource[],
  context: BuildContext,
): readonly OperationSource[] {
  const sources = pathItems.flatMap(({ located, pathItem }) => {
    const { path } = pathItem;
    const shared = findBasePaths(pathItem.servers, context);
    return (path.startsWith("/") ? listMethods(located, context) : []).map(({ method, operation }) => {
      const id = toText(operation.node["operationId"]);
      const name = id ?? toIdentifier(`${method} ${path}`);
      const servers = buildServers(operation);
      const own = findBasePaths(servers, context);
      const basePaths = own.length > 0 ? own : shared;
      const mounted = { servers, ...(basePaths.length > 0 && { basePaths }) };
      return { ...operation, ...mounted, id: name, hasId: id !== undefined, method, path, pathItem };
    });
  });
  return distinguish(sources);
}

/** Reports operations that never receive a request: templates that differ only in parameter names match the same paths. */
function reportUnreachable(sources: readonly OperationSource[], { report }: BuildContext): void {
  const seen = new Map<string, string>();
  for (const { method, path } of sources) {
    const matched = toOperationKey({ method, path });
    const other = seen.get(matched);
    if (other === undefined) seen.set(matched, path);
    else {
      const message = `${toOperationLabel({ method, path })} matches the same paths as ${other}`;
      report("path-duplicate", joinPointer("#/paths", path, ...toMethodKeys(method)), message);
    }
  }
}

/** Appends a number to a derived name that another operation has: `getPetsId2`. */
function distinguish(sources: readonly OperationSource[]): readonly OperationSource[] {
  const taken = new Set(sources.filter(({ hasId }) => hasId).map(({ id }) => toTypeName(id)));
  return sources.map((source) => {
    if (source.hasId) return source;
    let { id } = source;
    for (let count = 2; taken.has(toTypeName(id)); count += 1) id = `${source.id}${count}`;
    taken.add(toTypeName(id));
    return { ...source, id };
  });
}

/** Names the types of every operation, in order. A duplicate name gets a trailing `_`. */
function nameTypes(
  sources: readonly OperationSource[],
  { report }: BuildContext,
): ReadonlyMap<OperationSource, string> {
  const names = new UniqueNames();
  const owners = new Map<string, OperationSource>();
  const typeNames = new Map<OperationSource, string>();
  for (const source of sources) {
    const wanted = toTypeName(source.id);
    const owner = owners.get(wanted);
    const typeName = names.add(wanted);
    owners.set(typeName, source);
    typeNames.set(source, typeName);
    if (owner === undefined) continue;
    const pointer = joinPointer(source.pointer, "operationId");
    const other = `${owner.method.toUpperCase()} ${owner.path}`;
    if (source.id === owner.id) {
      report("operation-id-duplicate", pointer, `operationId "${source.id}" is taken by ${other}`);
    } else {
      const message = `The types of operation "${source.id}" are named ${typeName}…, because the types of "${owner.id}" already have that name`;
      report("name-changed", pointer, message, `Choose an operationId that is less similar to ${other}'s`);
    }
  }
  return typeNames;
}

function findSuccessor(
  { pointer }: OperationSource,
  replacedBy: string | undefined,
  byId: ReadonlyMap<string, OperationSource>,
  { report }: BuildContext,
): Operation["successor"] {
  if (replacedBy === undefined) return undefined;
  const found = byId.get(replacedBy);
  if (found !== undefined) {
    const { id, method, path, basePaths } = found;
    return { id, method, path, ...(basePaths && { basePaths }) };
  }
  if (isReplacementUrl(replacedBy)) return undefined;
  const message = `x-replaced-by must be the operationId of an operation or a URL such as /v2/pets, found ${JSON.stringify(replacedBy)}`;
  report("replaced-by-unknown", joinPointer(pointer, "x-replaced-by"), message);
  return undefined;
}

function isStub(statuses: readonly string[]): boolean {
  const hasSuccess = statuses.some((status) => /^[23]/.test(status) || status === "default");
  return !hasSuccess && statuses.includes("501");
}
