import type { Contract, Operation, Response } from "tenon/core/model";
import { flatten, type SchemaView } from "../../values/index.js";

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
