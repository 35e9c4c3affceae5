import { flatten } from "../values/flatten.js";
import type { SchemaBook } from "../values/book.js";
import type { Target, TargetOperation, TargetResponse } from "./target.js";

/** What one operation creates, another reads. */
export interface Creation {
  readonly create: TargetOperation;
  readonly read: TargetOperation;
  /** The path parameter of `read` that says which. */
  readonly parameter: string;
  /** Member of the created thing that is its value. */
  readonly member: string;
  /** Where all of them are listed. */
  readonly list?: TargetOperation;
}

/**
 * Finds what can be created and read: by the `links` of a response, or as everybody does it: `POST /pets` answers with the
 * member `id` or `petId`, and `GET /pets/{petId}` reads it.
 */
export function findCreations({ operations, responses }: Target): readonly Creation[] {
  return operations
    .filter(({ method }) => method === "post")
    .flatMap((create) => {
      const found = byLink(create, operations) ?? byPath(create, operations, responses);
      const list = operations.find(({ method, path }) => method === "get" && path === create.path);
      return found === undefined ? [] : [{ create, ...found, ...(list && { list }) }];
    });
}

type Found = Pick<Creation, "read" | "parameter" | "member">;

function byLink(create: TargetOperation, operations: readonly TargetOperation[]): Found | undefined {
  for (const { operationId, parameters } of successes(create).flatMap(({ links }) => links)) {
    const read = operations.find(({ id, method }) => id === operationId && method === "get");
    for (const [parameter, expression] of Object.entries(parameters)) {
      const member = /^\$response\.body#\/([^/~]+)$/.exec(expression)?.[1];
      if (read?.path === `${create.path}/{${parameter}}` && member !== undefined)
        return { read, parameter, member };
    }
  }
  return undefined;
}

function byPath(
  create: TargetOperation,
  operations: readonly TargetOperation[],
  book: SchemaBook,
): Found | undefined {
  const read = operations.find(
    ({ method, path }) =>
      method === "get" &&
      path.startsWith(`${create.path}/`) &&
      /^\/\{[^{}/]+\}$/.test(path.slice(create.path.length)),
  );
  if (read === undefined) return undefined;
  const parameter = read.path.slice(create.path.length + 2, -1);
  const members = successes(create).flatMap(({ content }) =>
    content.flatMap(({ schema }) =>
      Object.keys(schema === undefined ? {} : (flatten(book.get(schema), book).properties ?? {})),
    ),
  );
  const member = [parameter, "id"].find((name) => members.includes(name));
  return member === undefined ? undefined : { read, parameter, member };
}

function successes({ responses }: TargetOperation): readonly TargetResponse[] {
  return [...responses].flatMap(([status, response]) => (status.startsWith("2") ? [response] : []));
}
