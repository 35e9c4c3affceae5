import { isNode, type Node, toArray, toText } from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import { readLifecycle } from "tenon/core/document/lifecycle";
import { HTTP_METHODS, type HttpMethod } from "tenon/core/legacy/model";
import { describeSuccessor } from "../lifecycle-comment.js";
import { toParameter, toPart, toRequestBody, toResponse } from "./content.js";
import { encodeName } from "./names.js";
import { dereference, entries } from "./references.js";
import { type SchemaContext, toAnnotations } from "./schema.js";

/** An operation of a path item or webhook. */
export interface FoundOperation {
  /** Its key in `operations`: the `operationId`, else `GET /pets`; with a `_` where that is taken. */
  readonly key: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly node: Node;
  readonly pathItem: Node;
  readonly pointer: string;
}

/** What the operations of a document are told apart by. */
export class Operations {
  readonly #keys = new Set<string>();
  readonly #byId = new Map<string, FoundOperation>();

  /** Finds the operations of a path item, in the order of {@link HTTP_METHODS}. */
  find(pathItem: Node, path: string, pointer: string): readonly FoundOperation[] {
    return HTTP_METHODS.flatMap((method) => {
      const node = getOwn(pathItem, method);
      if (!isNode(node)) return [];
      const id = toText(getOwn(node, "operationId"));
      let key = id ?? `${method.toUpperCase()} ${path}`;
      while (this.#keys.has(key)) key += "_";
      this.#keys.add(key);
      const operation = { key, method, path, node, pathItem, pointer: joinPointer(pointer, method) };
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, operation);
      return [operation];
    });
  }

  /** What replaces an operation, as its comment names it; undefined when that is none of them. */
  describeSuccessor({ node }: FoundOperation): string | undefined {
    const successor = this.#byId.get(readLifecycle(node).replacedBy ?? "");
    return successor && describeSuccessor({ ...successor, id: successor.key });
  }
}

/** A path item whose operations are references to members of `operations`. */
export function toPathItem(
  pathItem: Node,
  operations: readonly FoundOperation[],
  context: SchemaContext & { readonly nameSuccessor: (operation: FoundOperation) => string | undefined },
): Node {
  const methods = operations.map((operation) => {
    const annotations = toAnnotations(operation.node, context.nameSuccessor(operation));
    const reference = joinPointer("#/operations", encodeName(operation.key));
    return [operation.method, { ...annotations, $ref: reference }] as const;
  });
  return { parameters: toParameters([pathItem], context), ...Object.fromEntries(methods) };
}

/** @see https://spec.openapis.org/oas/v3.1.0#operation-object */
export function toOperation({ node, pathItem }: FoundOperation, context: SchemaContext): Node {
  const requestBody = toPart(getOwn(node, "requestBody"), "requestBodies", {
    context,
    build: (body) => toRequestBody(body, context),
  });
  const responses = entries(node, "responses").flatMap(([status, value]) => {
    if (!/^(?:[1-5](?:\d\d|XX)|default)$/.test(status)) return [];
    const response = toPart(value, "responses", { context, build: (built) => toResponse(built, context) });
    return response === undefined ? [] : [[status, response] as const];
  });
  return {
    parameters: toParameters([pathItem, node], context),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(responses),
  };
}

/** Headers that OpenAPI ignores as parameters: other parts of the contract describe them. */
const IGNORED_HEADERS: readonly string[] = ["accept", "content-type", "authorization"];

/** The parameters of a path item and its operation; the operation's own win. */
function toParameters(owners: readonly Node[], context: SchemaContext): readonly Node[] {
  const parameters = new Map<string, Node>();
  for (const value of owners.flatMap((owner) => toArray(owner["parameters"]))) {
    const node = dereference(context.document, value);
    const place = toText(node?.["in"]);
    const name = toText(node?.["name"]);
    if (node === undefined || name === undefined || place === undefined) {
      context.report("A parameter leads nowhere, or has no name");
      continue;
    }
    const key = place === "header" ? name.toLowerCase() : name;
    if (place === "header" && IGNORED_HEADERS.includes(key)) continue;
    const built = toParameter(node, context);
    const part = toPart(value, "parameters", { context, build: () => built });
    const reference = part?.["$ref"];
    // openapi-typescript would look for the name behind the reference.
    const schema = typeof reference === "string" ? { $ref: reference } : built["schema"];
    parameters.set(`${place} ${key}`, { ...built, schema });
  }
  return [...parameters.values()];
}
