import { reportServers } from "./build-base-path.js";
import { buildCallbacks } from "./build-outgoing.js";
import { buildParameters, type ParameterContext } from "./build-parameters.js";
import { buildRequestBody, buildResponses } from "./build-content.js";
import {
  type DocumentContext,
  isNode,
  type Located,
  members,
  resolve,
  toArray,
  toStrings,
  toText,
} from "./document.js";
import { getOwn, joinPointer } from "../document/pointer.js";
import { toIdentifier, toTypeName } from "../model/names.js";
import { notableLifecycle } from "../document/lifecycle.js";
import {
  HTTP_METHODS,
  type HttpMethod,
  type Operation,
  type Response,
  type SecurityRequirement,
} from "./model.js";
import { reportLifecycle } from "./report-lifecycle.js";

/** An operation as the document has it. */
export interface OperationSource extends Located {
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly pathItem: Located;
}

export interface OperationContext extends ParameterContext {
  /** Path that all operations are mounted at. */
  readonly basePath: string;
}

/** Builds every operation of the document: paths in document order, then methods in the order of {@link HTTP_METHODS}. */
export function buildOperations(context: OperationContext): readonly Operation[] {
  const sources = findOperations(context);
  for (const owner of new Set(sources.flatMap((source) => [source.pathItem, source]))) {
    reportServers(owner, context.basePath, context);
  }
  reportUnreachable(sources, context);
  const typeNames = nameTypes(sources, context);
  const byId = new Map(sources.map((source) => [source.node["operationId"], source]));
  return sources.map((source) => {
    const { id, method, path, pathItem, node } = source;
    const summary = toText(node["summary"]);
    const requestBody = buildRequestBody(source, context, context.schemas);
    const responses = buildResponses(source, context);
    const { lifecycle } = notableLifecycle(node);
    reportLifecycle(source, context);
    const successor = findSuccessor(source, lifecycle?.replacedBy, byId, context);
    const [tag] = toStrings(node["tags"]);
    return {
      id,
      typeName: typeNames.get(source) ?? "",
      method,
      path,
      ...(summary !== undefined && { summary }),
      ...(tag !== undefined && { tag }),
      parameters: buildParameters(pathItem, source, context),
      ...(requestBody && { requestBody }),
      responses,
      callbacks: buildCallbacks(source, context),
      security: buildSecurity(source, context),
      ...(lifecycle && { lifecycle }),
      ...(successor && { successor }),
      stub: isStub(responses),
    };
  });
}

/** Finds every operation, and names those that have no name. */
export function findOperations(context: DocumentContext): readonly OperationSource[] {
  const sources = members({ node: context.document, pointer: "#" }, "paths").flatMap(
    ({ name: path, ...reference }) => {
      const pathItem = path.startsWith("/") ? resolve(reference, context) : undefined;
      if (pathItem === undefined) return [];
      return HTTP_METHODS.flatMap((method) => {
        const node = getOwn(pathItem.node, method);
        if (!isNode(node)) return [];
        const id = toText(node["operationId"]) ?? toIdentifier(`${method} ${path}`);
        return [{ id, method, path, pathItem, node, pointer: joinPointer(pathItem.pointer, method) }];
      });
    },
  );
  return distinguish(sources);
}

/** Two templates that differ only by names match the same paths: one of two operations with the same method gets no request. */
function reportUnreachable(sources: readonly OperationSource[], { report }: DocumentContext): void {
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
  const isStated = ({ node }: OperationSource) => node["operationId"] !== undefined;
  const taken = new Set(sources.filter(isStated).map(({ id }) => toTypeName(id)));
  return sources.map((source) => {
    if (isStated(source)) return source;
    let { id } = source;
    for (let count = 2; taken.has(toTypeName(id)); count += 1) id = `${source.id}${count}`;
    taken.add(toTypeName(id));
    return { ...source, id };
  });
}

/** Names the types of every operation, in order; one whose name is taken gets a trailing `_`. */
function nameTypes(
  sources: readonly OperationSource[],
  { report }: DocumentContext,
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
  byId: ReadonlyMap<unknown, OperationSource>,
  { report }: DocumentContext,
): Operation["successor"] {
  if (replacedBy === undefined) return undefined;
  const found = byId.get(replacedBy);
  if (found !== undefined) return { id: found.id, method: found.method, path: found.path };
  const message = `x-replaced-by must be the operationId of an operation, found ${JSON.stringify(replacedBy)}`;
  report("replaced-by-unknown", joinPointer(pointer, "x-replaced-by"), message);
  return undefined;
}

/** The operation's own requirements replace the root's, also when they are an empty list. */
function buildSecurity(
  { node, pointer }: OperationSource,
  context: DocumentContext,
): readonly SecurityRequirement[] {
  const own = node["security"] !== undefined;
  const declared = toArray(own ? node["security"] : context.document["security"]);
  const components = getOwn(context.document, "components");
  const schemes = isNode(components) ? getOwn(components, "securitySchemes") : undefined;
  return declared.filter(isNode).map((requirement, index) => {
    for (const name of Object.keys(requirement)) {
      if (isNode(schemes) && Object.hasOwn(schemes, name)) continue;
      const message = `Security scheme "${name}" is not declared in components/securitySchemes`;
      context.report(
        "security-scheme-unknown",
        joinPointer(own ? pointer : "#", "security", index, name),
        message,
      );
    }
    return Object.fromEntries(Object.entries(requirement).map(([name, scopes]) => [name, toStrings(scopes)]));
  });
}

function isStub(responses: readonly Response[]): boolean {
  const success = responses.some(({ status }) => /^[23]/.test(status) || status === "default");
  return !success && responses.some(({ status }) => status === "501");
}
