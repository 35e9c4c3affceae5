import { isNode, type Node, toArray, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { follow } from "./follow.js";
import { toCode } from "./markdown.js";

/**
 * What an operation's declarations mean to a caller and pages do not say: that it needs no key, that calls are limited, and
 * that it can be repeated. `**rate limit** 429, told by `RateLimit``
 */
export function toOperationFacts(operation: Node, document: Node): readonly string[] {
  const key = tellKey(operation, document);
  const limit = tellLimit(operation, document);
  const repeat = tellRepetition(operation, document);
  return [key, limit, repeat].filter((fact) => fact !== undefined);
}

/** Which key is needed, pages tell; that none is, only where others need one. */
function tellKey(operation: Node, document: Node): string | undefined {
  const components = getOwn(document, "components");
  const schemes = isNode(components) ? getOwn(components, "securitySchemes") : undefined;
  if (!isNode(schemes) || Object.keys(schemes).length === 0) return undefined;
  const security = toArray(operation["security"] ?? document["security"]);
  if (security.length === 0) return "**key** none";
  const isFree = security.some((one) => isNode(one) && Object.keys(one).length === 0);
  if (!isFree) return undefined;
  return security.length === 1 ? "**key** none" : "**key** optional";
}

/** Headers that tell how many calls are left, by the drafts of the IETF or the habit before them. */
const LIMIT_HEADER = /^(?:x-)?rate-?limit/i;

function tellLimit(operation: Node, document: Node): string | undefined {
  const responses = getOwn(operation, "responses");
  if (!isNode(responses)) return undefined;
  const limited = follow(getOwn(responses, "429"), document);
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const declared = [...successes.map(([, response]) => follow(response, document)), limited];
  const names = declared.flatMap((response) => {
    const headers = response && getOwn(response, "headers");
    return isNode(headers) ? Object.keys(headers).filter((name) => LIMIT_HEADER.test(name)) : [];
  });
  const told = [...new Set(names)].map(toCode).join(", ");
  const parts = [limited === undefined ? "" : "429", told === "" ? "" : `told by ${told}`];
  if (parts.every((part) => part === "")) return undefined;
  return `**rate limit** ${parts.filter((part) => part !== "").join(", ")}`;
}

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
function tellRepetition(operation: Node, document: Node): string | undefined {
  const parameters = toArray(operation["parameters"]).map((parameter) => follow(parameter, document));
  const key = parameters.find(
    (parameter) =>
      parameter?.["in"] === "header" && /^(?:x-)?idempotency-key$/i.test(toText(parameter["name"]) ?? ""),
  );
  return key && `**can be repeated** with ${toCode(toText(key["name"]) ?? "")}`;
}
