import type {
  Oas3Operation,
  Oas3Response,
  Oas3SecurityRequirement,
  Oas3Visitor,
  UserContext,
} from "@redocly/openapi-core";
import { readLifecycle } from "tenon/core/document/lifecycle";
import { entriesOf, isNode, isReference, itemsOf } from "./node.js";
import { onKey } from "./on-key.js";

/**
 * An operation declares what the runtime answers by itself, with a body, so that a typed client knows it: by the status code, by
 * `4XX` or by `default`. Only what can happen to the operation counts. A failure of the service, 500, does not: no client can do
 * more about it than about an undeclared status. Nor does an operation that declares 501 and no success: its contract is not
 * written yet.
 */
export function errorsDeclared(): Oas3Visitor {
  let inherited: readonly Oas3SecurityRequirement[] | undefined;

  return {
    Root(root) {
      inherited = root.security;
    },
    Paths: {
      PathItem: {
        Operation(operation, context) {
          if (!isNode(operation)) return;
          const responses = new Map(
            entriesOf(operation.responses).map(([status, response]) => [status, follow(response, context)]),
          );
          if (responses.has("501") && ![...responses.keys()].some(isSuccess)) return;

          const possible = findPossible(operation, operation.security ?? inherited, responses);
          const undeclared = possible.filter((status) => findKey(status, responses) === undefined);
          const bodiless = possible.filter((status) => {
            const key = findKey(status, responses);
            return key !== undefined && entriesOf(responses.get(key)?.content).length === 0;
          });
          if (undeclared.length + bodiless.length === 0) return;

          const wanted = [
            ...(undeclared.length > 0 ? [`a response for ${undeclared.join(", ")}`] : []),
            ...(bodiless.length > 0 ? [`a body for ${bodiless.join(", ")}`] : []),
          ];
          context.report({
            message: `Expected ${wanted.join(" and ")}, which the service answers by itself; found none.`,
            location: onKey(context.location.child("responses")),
          });
        },
      },
    },
  };
}

type Responses = ReadonlyMap<string, Oas3Response | undefined>;

/** The statuses of what the runtime refuses before it calls the operation's handler. */
function findPossible(
  operation: Oas3Operation,
  security: readonly Oas3SecurityRequirement[] | undefined,
  responses: Responses,
): readonly string[] {
  const alternatives = itemsOf(security);
  const isSecured =
    alternatives.length > 0 && alternatives.every(([, requirement]) => Object.keys(requirement).length > 0);
  const successes = [...responses].filter(([status]) => isSuccess(status));
  const isNegotiated = successes.some(([, response]) => entriesOf(response?.content).length > 0);
  const hasBody = operation.requestBody !== undefined;
  const { sunset } = readLifecycle(operation);
  return [
    // A query parameter that nobody declares is refused whatever the operation takes.
    "400",
    ...(isSecured ? ["401"] : []),
    ...(isNegotiated ? ["406"] : []),
    ...(sunset !== undefined ? ["410"] : []),
    ...(hasBody ? ["413", "415"] : []),
  ];
}

function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

/** What declares a status, as the runtime finds it; `default` stands for the success where there is no other. */
function findKey(status: string, responses: Responses): string | undefined {
  const keys = [status, "4XX", ...([...responses.keys()].some(isSuccess) ? ["default"] : [])];
  return keys.find((key) => responses.has(key));
}

function follow(response: object, context: UserContext): Oas3Response | undefined {
  const node = isReference(response) ? context.resolve<Oas3Response>(response).node : response;
  return isNode(node) ? node : undefined;
}
