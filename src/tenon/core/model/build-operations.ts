import { notableLifecycle } from "../document/lifecycle.js";
import { getMember, getMembers, type Located, toNode, toStrings, toText } from "../document/node.js";
import { joinPointer } from "../document/pointer.js";
import { buildRequestBody, buildResponses } from "./build-content.js";
import { buildCallbacks } from "./build-outgoing.js";
import { buildParameters, reportLifecycle } from "./build-parameters.js";
import { buildSecurity } from "./build-security.js";
import { buildServers, reportServers } from "./build-servers.js";
import { type BuildContext, lazily, resolve } from "./context.js";
import { type Contract, HTTP_METHODS, type HttpMethod, type Operation, type PathItem } from "./contract.js";
import { toIdentifier, toTypeName } from "./names.js";

/** An operation as the document has it. */
interface OperationSource extends Located {
  readonly id: string;
  readonly hasId: boolean;
  readonly method: HttpMethod;
  readonly path: string;
  readonly pathItem: Located & PathItem;
}

/**
 * Builds every operation of the document: paths in document order, then methods in the order of {@link HTTP_METHODS}. What an
 * operation takes and returns is built when it is first read.
 */
export function buildOperations(
  contract: Pick<Contract, "basePath" | "security" | "securitySchemes">,
  context: BuildContext,
): readonly Operation[] {
  const sources = findOperations(context);
  for (const { servers } of new Set(sources.map(({ pathItem }) => pathItem)))
    reportServers(servers, contract.basePath, context);
  reportUnreachable(sources, context);
  const typeNames = nameTypes(sources, context);
  const byId = new Map(sources.filter(({ hasId }) => hasId).map((source) => [source.id, source]));
  return sources.map((source) => {
    const { id, hasId, method, path, pathItem, node, pointer } = source;
    const summary = toText(node["summary"]);
    const description = toText(node["description"]);
    const servers = buildServers(source);
    reportServers(servers, contract.basePath, context);
    const { lifecycle } = notableLifecycle(node);
    reportLifecycle(source, context);
    const successor = findSuccessor(source, lifecycle?.replacedBy, byId, context);
    const content = lazily<Content>({
      parameters: () => buildParameters(pathItem, source, context),
      requestBody: () => buildRequestBody(source, context, true),
      responses: () => buildResponses(source, context),
      callbacks: () => buildCallbacks(source, context),
      security: () => buildSecurity(source, contract.securitySchemes, context) ?? contract.security,
    });
    return Object.assign(content, {
      pointer,
      id,
      hasId,
      typeName: typeNames.get(source) ?? "",
      method,
      path,
      pathItem: { pointer: pathItem.pointer, servers: pathItem.servers },
      ...(summary !== undefined && { summary }),
      ...(description !== undefined && { description }),
      tags: toStrings(node["tags"]),
      servers,
      ...(lifecycle && { lifecycle }),
      ...(successor && { successor }),
      stub: isStub(Object.keys(toNode(node["responses"]))),
    });
  });
}

type Content = Pick<Operation, "parameters" | "requestBody" | "responses" | "callbacks" | "security">;

/** Finds every operation, and names those that have no name. */
function findOperations(context: BuildContext): readonly OperationSource[] {
  const sources = getMembers(context.source.root, "paths").flatMap(({ name: path, ...reference }) => {
    const found = path.startsWith("/") ? resolve(reference, context) : undefined;
    if (found === undefined) return [];
    const pathItem = { ...found, servers: buildServers(found) };
    return HTTP_METHODS.flatMap((method): OperationSource[] => {
      const operation = getMember(found, method);
      if (operation === undefined) return [];
      const id = toText(operation.node["operationId"]);
      const name = id ?? toIdentifier(`${method} ${path}`);
      return [{ ...operation, id: name, hasId: id !== undefined, method, path, pathItem }];
    });
  });
  return distinguish(sources);
}

/** Two templates that differ only by names match the same paths: one of two operations with the same method gets no request. */
function reportUnreachable(sources: readonly OperationSource[], { report }: BuildContext): void {
  const seen = new Map<string, string>();
  for (const { method, path } of sources) {
    const matched = `${method} ${path.replaceAll(/\{[^{}]*\}/g, "{}")}`;
    const other = seen.get(matched);
    if (other === undefined) seen.set(matched, path);
    else {
      const message = `Cannot tell ${method.toUpperCase()} ${path} from ${other}: both match the same paths`;
      report("path-duplicate", joinPointer("#/paths", path, method), message);
    }
  }
}

/** Names that were derived get a number where another operation has the name: `getPetsId2`. */
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

/** Names the types of every operation, in order; one whose name is taken gets a trailing `_`. */
function nameTypes(
  sources: readonly OperationSource[],
  { report }: BuildContext,
): ReadonlyMap<OperationSource, string> {
  const owners = new Map<string, OperationSource>();
  const typeNames = new Map<OperationSource, string>();
  for (const source of sources) {
    let typeName = toTypeName(source.id);
    const owner = owners.get(typeName);
    while (owners.has(typeName)) typeName += "_";
    owners.set(typeName, source);
    typeNames.set(source, typeName);
    if (owner === undefined) continue;
    const pointer = joinPointer(source.pointer, "operationId");
    const other = `${owner.method.toUpperCase()} ${owner.path}`;
    if (source.id === owner.id) {
      report("operation-id-duplicate", pointer, `operationId "${source.id}" is taken by ${other}`);
    } else {
      const message = `The types of operation "${source.id}" are named ${typeName}…, because those of "${owner.id}" have the name already`;
      report("name-changed", pointer, message, `Choose an operationId that differs from ${other}'s by more`);
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
  if (found !== undefined) return { id: found.id, method: found.method, path: found.path };
  const message = `x-replaced-by must be the operationId of an operation, found ${JSON.stringify(replacedBy)}`;
  report("replaced-by-unknown", joinPointer(pointer, "x-replaced-by"), message);
  return undefined;
}

function isStub(statuses: readonly string[]): boolean {
  const hasSuccess = statuses.some((status) => /^[23]/.test(status) || status === "default");
  return !hasSuccess && statuses.includes("501");
}
