import { getMembers, type Located } from "../document/node.js";
import { ADDITIONAL_METHODS, HTTP_METHODS, type HttpMethod } from "../http/methods.js";
import { type BuildContext, resolve, resolveMember } from "./context.js";

/** An operation of a path item. */
interface LocatedMethod {
  readonly method: HttpMethod;
  readonly operation: Located;
}

/**
 * Lists the operations of a path item: those of its fields in the order of {@link HTTP_METHODS}, then its `additionalOperations`.
 * Reports methods that cannot be served.
 * @see https://spec.openapis.org/oas/v3.2.0#path-item-object
 */
export function listMethods(pathItem: Located, context: BuildContext): readonly LocatedMethod[] {
  const declared = HTTP_METHODS.flatMap((method) => {
    // Many tools accept a reference here.
    const operation = resolveMember(pathItem, method, context);
    return operation === undefined ? [] : [{ method, operation }];
  });
  const additional = getMembers(pathItem, "additionalOperations").flatMap(({ name, ...reference }) => {
    const method = ADDITIONAL_METHODS.find((one) => one.toUpperCase() === name);
    if (method === undefined) {
      context.report("method-unsupported", reference.pointer, ...explain(name));
      return [];
    }
    const operation = resolve(reference, context);
    return operation === undefined ? [] : [{ method, operation }];
  });
  return [...declared, ...additional];
}

/** @returns the message and the hint for a key of `additionalOperations`. */
function explain(name: string): readonly [message: string, hint: string] {
  const field = HTTP_METHODS.find((method) => method === name.toLowerCase());
  if (field !== undefined)
    return [`additionalOperations must not contain "${name}"`, `Write \`${field}\` in the path item`];
  const isKnown = ADDITIONAL_METHODS.some((method) => method === name.toLowerCase());
  if (isKnown)
    return [`"${name}" is not an HTTP method: methods are case-sensitive`, `Write "${name.toUpperCase()}"`];
  const known = ADDITIONAL_METHODS.map((method) => method.toUpperCase()).join(", ");
  return [`Node.js cannot parse the HTTP method "${name}"`, `Use one of ${known}`];
}
