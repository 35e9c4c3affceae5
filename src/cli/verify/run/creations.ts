import type { Contract, Operation, Response } from "tenon/core/model";
import { flatten, type SchemaView } from "../../values/index.js";
import { isNode } from "tenon/core/document";
import { type Exchange, toItems } from "../checks/index.js";
import { isSuccess, toJson } from "../messages/index.js";

/** A kind of resource that one operation creates and another reads. */
export interface Creation {
  readonly create: Operation;
  readonly read: Operation;
  /** The path parameter of `read` that identifies the resource. */
  readonly parameter: string;
  /** Property of the resource with the parameter's value. */
  readonly member: string;
  /** Lists all of them. */
  readonly list?: Operation;
}

/**
 * Finds the resources that can be created and read: by the `links` of a response, or by convention. `POST /pets` responds with
 * the property `id` or `petId`, and `GET /pets/{petId}` reads it.
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
  return member === undefined ? undefined : { read, parameter, member };
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

/** Newer resources are more likely to exist still. */
const MOST = 20;

/** Collects the path parameters of resources that exist, as far as responses have shown. */
export function createCreatedResources(creations: readonly Creation[]) {
  /** Parameters by path template: `/pets/{petId}`. */
  const known = new Map<string, PathValues[]>();

  const remember = ({ read, parameter, member }: Creation, resource: unknown, path: PathValues): void => {
    const value = isNode(resource) ? resource[member] : undefined;
    if (typeof value !== "string" && typeof value !== "number") return;
    const list = known.get(read.path) ?? [];
    known.set(read.path, [{ ...path, [parameter]: value }, ...list].slice(0, MOST));
  };

  return {
    learn({ testCase: { operation, value }, response }: Exchange): void {
      if (!isSuccess(response.status)) return;
      const path = value.path ?? {};
      for (const creation of creations) {
        if (operation === creation.create) remember(creation, toJson(response), path);
        if (operation === creation.list && (known.get(creation.read.path)?.length ?? 0) === 0) {
          for (const item of (toItems(toJson(response)) ?? []).slice(0, MOST)) remember(creation, item, path);
        }
        if (operation.method === "delete" && operation.path === creation.read.path) {
          const left = (known.get(operation.path) ?? []).filter(
            (values) => values[creation.parameter] !== path[creation.parameter],
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
  };
}
