import { joinPointer, type Node } from "tenon/core/document";
import {
  type Contract,
  type Operation,
  type OutgoingRequest,
  type Parameter,
  toOperationLabel,
  toParameterKey,
  UniqueNames,
} from "tenon/core/model";
import { groupBy } from "../group-by.js";
import { describeSuccessor } from "../lifecycle-comment.js";
import { type ContentContext, toOperationParameter, toRequestBody, toResponse } from "./content.js";
import { toAnnotations } from "./schema.js";
import { encodeName, referTo } from "./typed-schema.js";

/** An operation, or a request of a webhook, as a member of `operations`. */
export interface NamedOperation {
  /** The `operationId`, or `GET /pets` without one; with a trailing `_` if the name is taken. */
  readonly key: string;
  readonly operation: Operation | OutgoingRequest;
}

/** A member of `paths` or `webhooks`. */
export interface NamedPathItem {
  readonly kind: "paths" | "webhooks";
  readonly name: string;
  readonly pointer: string;
  readonly parameters: readonly Parameter[];
  readonly operations: readonly NamedOperation[];
}

/** Lists the paths and webhooks of a contract, and names their operations. */
export function listPathItems({ pathItems, operations, webhooks }: Contract): readonly NamedPathItem[] {
  const taken = new UniqueNames();
  const toNamed = (operation: Operation | OutgoingRequest, wanted: string): NamedOperation => {
    return { key: taken.add(wanted), operation };
  };
  const byPathItem = groupBy(operations, ({ pathItem }) => pathItem);
  const paths = pathItems
    .filter(({ path }) => path.startsWith("/"))
    .map((pathItem): NamedPathItem => ({
      kind: "paths",
      name: pathItem.path,
      pointer: pathItem.declaredAt,
      parameters: pathItem.parameters,
      operations: (byPathItem.get(pathItem) ?? []).map((operation) =>
        toNamed(operation, operation.hasId ? operation.id : toOperationLabel(operation)),
      ),
    }));
  const requests = groupBy(webhooks, ({ name }) => name);
  const hooks = [...requests].map(([name, named]): NamedPathItem => ({
    kind: "webhooks",
    name,
    pointer: joinPointer("#/webhooks", name),
    parameters: [],
    operations: named.map((request) =>
      toNamed(request, request.operationId ?? toOperationLabel({ ...request, path: `webhooks ${name}` })),
    ),
  }));
  return [...paths, ...hooks];
}

/** Converts a path item; its operations become references to members of `operations`. */
export function toPathItem({ parameters, operations }: NamedPathItem, context: ContentContext): Node {
  const methods = operations.map(({ key, operation }) => {
    const successor = "successor" in operation ? operation.successor : undefined;
    const annotations = toAnnotations(operation, describeSuccessor(successor));
    return [
      operation.method,
      { ...annotations, ...referTo(joinPointer("#/operations", encodeName(key))) },
    ] as const;
  });
  const shared = new Map(parameters.map((parameter) => [toParameterKey(parameter), parameter]));
  return { parameters: toParameters([...shared.values()], context), ...Object.fromEntries(methods) };
}

/** @see https://spec.openapis.org/oas/v3.1.0#operation-object */
export function toOperation({ operation }: NamedOperation, context: ContentContext): Node {
  const { parameters, requestBody, responses } = operation;
  const bodyReference = requestBody && context.findComponent(requestBody);
  return {
    parameters: toParameters(parameters, context),
    requestBody:
      requestBody &&
      // openapi-typescript also reads `required` of a reference.
      (bodyReference
        ? { required: requestBody.required, ...referTo(bodyReference) }
        : toRequestBody(requestBody, context)),
    responses: Object.fromEntries(
      responses.map((response) => {
        const reference = context.findComponent(response);
        return [response.status, reference ? referTo(reference) : toResponse(response, context)];
      }),
    ),
  };
}

function toParameters(parameters: readonly Parameter[], context: ContentContext): readonly Node[] {
  return parameters.map((parameter) => toOperationParameter(parameter, context));
}
