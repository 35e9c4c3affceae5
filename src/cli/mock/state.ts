import { isNode } from "tenon/core/document";
import type { Contract, MediaType, Operation } from "tenon/core/model";
import { type HandlerRequest, HttpError } from "tenon/runtime/portable";
import { chooseStatus, chooseUsual, type Chosen } from "./choose-response.js";
import {
  type Collection,
  findResources,
  findResourceUses,
  isId,
  listProperties,
  putResources,
  type Resource,
  type ResourceUse,
  toNextId,
} from "./resources.js";
import { continuePage, endPage, isPaging, takePage } from "./pages.js";
import type { SchemaView } from "../values/index.js";
import { findJson, type MockResponse, type ResponseMaker } from "./make-response.js";
import { toSeed, type TryValues } from "./try-values.js";

/** Maximum number of kept resources. A collection counts as one, too. */
export const MOST_KEPT = 10_000;

/** A call of an operation, with the responses that the mock makes without state. */
export interface Call {
  readonly operation: Operation;
  readonly request: HandlerRequest;
  readonly maker: ResponseMaker;
  readonly make: (chosen: Chosen) => MockResponse;
  /** Address of the request. */
  readonly url: URL;
}

/**
 * Keeps created resources for as long as the mock runs. At the start there are those that the mock's lists contain.
 * @returns Responds with them. Undefined where the operation does not concern them, or its response cannot show them.
 */
export function createState({ registry, basePath, operations }: Contract, tryValues: TryValues) {
  const collections = new Map<string, Collection>();
  const uses = findResourceUses(operations, (operation) => {
    const { schema } = findContent(operation) ?? {};
    return schema === undefined ? [] : listProperties(schema, { registry, side: "response" });
  });

  /** A collection is kept when it is first changed: callers choose its path. */
  function open(path: string, use: ResourceUse): Collection {
    return (
      collections.get(path) ??
      new Map(findInitial(use).map((resource) => [String(resource[use.key]), resource]))
    );
  }

  function findInitial(use: ResourceUse): readonly Resource[] {
    const listed = findResources(findBody(use, "list"), use.key);
    if (listed !== undefined) return listed;
    const read = findBody(use, "read");
    return isNode(read) && isId(read[use.key]) ? [read] : [];
  }

  /** The first body of an operation that has a role. */
  function findBody({ collection }: ResourceUse, role: "list" | "read"): unknown {
    const [operation] = [...uses].find(([, use]) => use.collection === collection && use.role === role) ?? [];
    const content = operation && findContent(operation);
    if (operation === undefined || content === undefined) return undefined;
    const [value] = tryValues(content.schema, toSeed(operation.id), false);
    return content.examples[0]?.value ?? value;
  }

  /** Names of the properties that a request's body may have. */
  function listSendable({ requestBody }: Operation): readonly string[] {
    return (requestBody?.mediaTypes ?? []).flatMap(({ schema }) =>
      schema === undefined ? [] : listProperties(schema, { registry, side: "request" }),
    );
  }

  return (call: Call): MockResponse | undefined => {
    const use = uses.get(call.operation);
    const chosen = chooseUsual(call.operation);
    if (use === undefined || chosen === undefined || chosen.status >= 300) return undefined;
    const path = toPath(use, call.request);
    const usual = call.make(chosen);
    const kept: Kept = { ...call, ...use, collections, path, resources: open(path, use), usual };
    if (use.role === "list") return list(kept, { registry, side: "response" });
    return use.role === "create" ? create(kept) : respondToItem(kept);
  };

  function create(kept: Kept): MockResponse | undefined {
    const { request, operation, usual, key, resources, path } = kept;
    if (!isNode(request.body)) return undefined;
    const shown = isNode(usual.content?.body) ? usual.content.body : {};
    // A property that could have been sent and was not stays absent; the service adds the others.
    const sendable = listSendable(operation);
    const added = Object.entries(shown).filter(([name]) => !sendable.includes(name));
    const sent = toResource(request.body, kept);
    const id = isId(sent[key]) ? sent[key] : toNextId(shown[key], resources);
    const response = keep({ ...Object.fromEntries(added), ...sent, [key]: id }, kept);
    const location = Object.keys(response?.headers ?? {}).find((name) => name.toLowerCase() === "location");
    if (response === undefined || location === undefined) return response;
    const url = `${basePath}${path}/${encodeURIComponent(id)}`;
    return { ...response, headers: { ...response.headers, [location]: url } };
  }

  function respondToItem(kept: Kept): MockResponse | undefined {
    const { role, request, operation, usual, make, resources, parameter, key } = kept;
    const sentId = request.path[parameter];
    const found = resources.get(String(sentId));
    if (found === undefined) {
      const missing = chooseStatus(operation, 404);
      if (missing !== undefined) return make(missing);
      if (role !== "replace") return undefined;
    }
    if (role === "remove") {
      keepCollection(kept, String(sentId));
      resources.delete(String(sentId));
      return usual;
    }
    if (role === "read") return found && show(found, kept);
    const omitted = role === "replace" ? listSendable(operation) : [];
    const rest = Object.entries(found ?? {}).filter(([name]) => !omitted.includes(name));
    const sent = isNode(request.body) ? toResource(request.body, kept) : {};
    return keep({ ...Object.fromEntries(rest), ...sent, [key]: found?.[key] ?? sentId }, kept);
  }
}

/** A call, the collection that it concerns, and its response without state. */
interface Kept extends Call, ResourceUse {
  readonly path: string;
  readonly resources: Collection;
  readonly usual: MockResponse;
  /** The kept collections, by path. */
  readonly collections: Map<string, Collection>;
}

/**
 * Keeps the collection of a call, before a resource in it changes.
 * @throws {HttpError} when there is no room for the resource.
 */
function keepCollection({ collections, path, resources }: Kept, id: string): void {
  const kept = [...collections.values()].reduce((sum, { size }) => sum + 1 + size, 0);
  const added = (collections.has(path) ? 0 : 1 + resources.size) + (resources.has(id) ? 0 : 1);
  if (added > 0 && kept + added > MOST_KEPT)
    throw HttpError.refusal("unavailable", {
      message: `The mock keeps at most ${MOST_KEPT} resources; delete some or restart it`,
    });
  collections.set(path, resources);
}

/** The path of a request's collection: `/owners/7/pets`. */
function toPath({ collection }: ResourceUse, { path }: HandlerRequest): string {
  return collection.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
}

/** The sent properties that responses may show: a password is not kept. */
function toResource(body: Resource, { properties }: ResourceUse): Resource {
  return Object.fromEntries(Object.entries(body).filter(([name]) => properties.includes(name)));
}

/** Keeps a resource as the operation's response shows it, if the response can; otherwise nothing changes. */
function keep(resource: Resource, kept: Kept): MockResponse | undefined {
  const { usual, resources, key } = kept;
  const response = isNode(usual.content?.body) ? show(resource, kept) : usual;
  if (response === undefined) return undefined;
  const shown = isNode(response.content?.body) ? toResource(response.content.body, kept) : {};
  const id = String(resource[key]);
  keepCollection(kept, id);
  resources.set(id, { ...resource, ...shown });
  return response;
}

/** The usual response with a resource in it; missing required properties are the usual response's. Undefined where it is invalid. */
function show(resource: Resource, { usual, maker }: Kept): MockResponse | undefined {
  const { content } = usual;
  if (content === undefined || !isNode(content.body)) return undefined;
  const shown = content.body;
  const known = Object.entries(resource).filter(([name]) => Object.hasOwn(shown, name));
  for (const body of [resource, { ...shown, ...resource }, { ...shown, ...Object.fromEntries(known) }]) {
    const response = { ...usual, content: { ...content, body } };
    if (maker.isValid(response)) return response;
  }
  return undefined;
}

/** A page of the resources whose properties match the query parameters of the same names. */
function list(kept: Kept, view: SchemaView): MockResponse | undefined {
  const { operation, usual, maker, request, resources, key, properties } = kept;
  const { content } = usual;
  if (content === undefined || findResources(content.body, key) === undefined) return undefined;
  const asked = Object.entries(request.query).filter(
    ([name, value]) =>
      properties.includes(name) && !isPaging(name) && !isNode(value) && !Array.isArray(value),
  );
  const matching = [...resources.values()].filter((resource) =>
    asked.every(([name, value]) => resource[name] === value),
  );
  const { items, next } = takePage(matching, operation, request.query, (resource) => resource[key]);
  const toResponse = (shown: readonly Resource[]): MockResponse => ({
    ...usual,
    content: { ...content, body: putResources(content.body, shown, matching.length) },
  });
  const whole = [items, items.filter((resource) => maker.isValid(toResponse([resource])))]
    .map(toResponse)
    .find((response) => maker.isValid(response));
  if (whole === undefined) return undefined;
  return next === undefined ? endPage(whole, maker) : continuePage(whole, { ...kept, next, view });
}

/** The JSON of an operation's usual response. */
function findContent(operation: Operation): MediaType | undefined {
  return findJson(chooseUsual(operation)?.response.mediaTypes ?? []);
}
