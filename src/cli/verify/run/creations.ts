import type { Contract, Operation, Response } from "tenon/core/model";
import { flatten, type SchemaView } from "../../values/index.js";
import { isNode } from "tenon/core/document";
import { type Exchange, toItems } from "../checks/index.js";
import { getHeader, isSuccess, type ServiceResponse, toJson } from "../messages/index.js";

/** A kind of resource that one operation creates and another reads. */
export interface Creation {
  readonly create: Operation;
  readonly read: Operation;
  /** The path parameter of `read` that identifies the resource. */
  readonly parameter: string;
  /** Property of the resource with the parameter's value. Default: `Location` of the response has it. */
  readonly member?: string;
  /** Lists all of them. */
  readonly list?: Operation;
}

/**
 * Finds the resources that can be created and read: by the `links` of a response, or by convention. `POST /pets` responds with
 * the property `id` or `petId`, or with `Location`, and `GET /pets/{petId}` reads it.
 */
export function findCreations({ operations, registry }: Contract): readonly Creation[] {
  const responses = { registry, side: "response" } as const;
  return operations
    .filter(({ method }) => method === "post")
    .flatMap((create) => {
      const found = byLink(create, operations) ?? byPath(create, operations, responses);
      const list = operations.find(({ method, path }) => method === "get" && path === create.path);
      return found === undefined ? [] : [{ create, ...found, ...(list && { list }) }];
    });
}

type Found = Pick<Creation, "read" | "parameter" | "member">;

function byLink(create: Operation, operations: readonly Operation[]): Found | undefined {
  for (const { operationId, parameters } of listSuccesses(create).flatMap(({ links }) => links)) {
    const read = operations.find(({ id, method }) => id === operationId && method === "get");
    for (const [parameter, expression] of Object.entries(parameters)) {
      const member = /^\$response\.body#\/([^/~]+)$/.exec(expression)?.[1];
      if (read?.path === `${create.path}/{${parameter}}` && member !== undefined)
        return { read, parameter, member };
    }
  }
  return undefined;
}

function byPath(create: Operation, operations: readonly Operation[], view: SchemaView): Found | undefined {
  const read = operations.find(
    ({ method, path }) =>
      method === "get" &&
      path.startsWith(`${create.path}/`) &&
      /^\/\{[^{}/]+\}$/.test(path.slice(create.path.length)),
  );
  if (read === undefined) return undefined;
  const parameter = read.path.slice(create.path.length + 2, -1);
  const members = listSuccesses(create).flatMap((response) => listProperties(response, view));
  const member = [parameter, "id"].find((name) => members.includes(name));
  if (member !== undefined) return { read, parameter, member };
  const headers = listSuccesses(create).flatMap((response) => response.headers);
  return headers.some(({ name }) => name.toLowerCase() === "location") ? { read, parameter } : undefined;
}

function listSuccesses({ responses }: Operation): readonly Response[] {
  return responses.filter(({ status }) => status.startsWith("2"));
}

/** Names of the properties that a response's body declares. */
export function listProperties({ mediaTypes }: Response, view: SchemaView): readonly string[] {
  return mediaTypes.flatMap(({ schema }) =>
    schema === undefined ? [] : Object.keys(flatten(schema, view).properties ?? {}),
  );
}

type PathValues = Readonly<Record<string, unknown>>;

/** The path of a created resource; undefined when the response does not have it. */
export function toPathValues(
  { parameter, member, read }: Creation,
  { testCase, response }: Exchange,
): PathValues | undefined {
  const resource = member === undefined ? undefined : toJson(response);
  const inBody = member !== undefined && isNode(resource) ? resource[member] : undefined;
  const value = inBody ?? toLastSegment(response, read, parameter);
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return { ...testCase.value.path, [parameter]: value };
}

/** The last segment of `Location`, with the type of the path parameter. */
function toLastSegment(
  response: ServiceResponse,
  { parameters }: Operation,
  name: string,
): string | number | undefined {
  const text = /([^/?#]+)\/?(?:[?#].*)?$/.exec(getHeader(response, "location") ?? "")?.[1];
  if (text === undefined) return undefined;
  const type = parameters.find((one) => one.in === "path" && one.name === name)?.schema.type;
  if (type?.some((one) => one === "integer" || one === "number") === true) return Number(text);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Newer resources are more likely to exist still. */
const MOST = 20;

/** Collects the path parameters of resources that exist, as far as responses have shown. */
export function createCreatedResources(creations: readonly Creation[]) {
  /** Parameters by path template: `/pets/{petId}`. */
  const known = new Map<string, PathValues[]>();

  const remember = ({ read }: Creation, values: PathValues | undefined): void => {
    if (values === undefined) return;
    known.set(read.path, [values, ...(known.get(read.path) ?? [])].slice(0, MOST));
  };

  return {
    learn(exchange: Exchange): void {
      const { testCase, response } = exchange;
      const { operation, value } = testCase;
      if (!isSuccess(response.status)) return;
      const path = value.path ?? {};
      for (const creation of creations) {
        const { create, list, read, parameter, member } = creation;
        if (operation === create) remember(creation, toPathValues(creation, exchange));
        if (operation === list && member !== undefined && (known.get(read.path)?.length ?? 0) === 0) {
          for (const item of (toItems(toJson(response)) ?? []).slice(0, MOST)) {
            const id = isNode(item) ? item[member] : undefined;
            if (typeof id === "string" || typeof id === "number")
              remember(creation, { ...path, [parameter]: id });
          }
        }
        if (operation.method === "delete" && operation.path === read.path) {
          const left = (known.get(operation.path) ?? []).filter(
            (values) => values[parameter] !== path[parameter],
          );
          known.set(operation.path, left);
        }
      }
    },
    /** Values of an operation's path parameters that lead to a resource; empty when none is known. */
    choose({ path }: Operation, pick: number): PathValues {
      // The longest template has the most parameters: that of an owner's pet also identifies the owner.
      const [template] = [...known.keys()]
        .filter((one) => (path === one || path.startsWith(`${one}/`)) && known.get(one)?.length !== 0)
        .sort((a, b) => b.length - a.length);
      const list = template === undefined ? [] : (known.get(template) ?? []);
      return list[pick % Math.max(1, list.length)] ?? {};
    },
    /**
     * The value with which the body of an operation refers to another resource: `memberId` where `GET /members/{memberId}` reads a
     * member. Undefined for an unknown one, for `id`, and for the resource itself.
     */
    refer({ path }: Operation, member: string, pick: number): unknown {
      if (member === "id") return undefined;
      for (const { create, read, parameter } of creations) {
        const isOwn = path === create.path || path === read.path || path.startsWith(`${read.path}/`);
        const list = known.get(read.path) ?? [];
        if (parameter === member && !isOwn && list.length > 0) return list[pick % list.length]?.[parameter];
      }
      return undefined;
    },
  };
}
