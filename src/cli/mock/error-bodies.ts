import { isNode, joinPointer, type Node } from "tenon/core/document";
import { findResponse, isRange, toEssence, toReplyKind } from "tenon/core/http";
import type { Contract, MediaType, Operation } from "tenon/core/model";
import { toJsonSchema } from "tenon/core/schema";
import type { ErrorContentOptions, Problem, Violation } from "tenon/runtime/portable";
import { groupBy } from "../generate/group-by.js";
import { listSuccesses } from "./choose-response.js";
import type { Mock } from "./create-mock.js";
import { flatten } from "../values/index.js";
import { setMembers, withoutMember } from "./make-response.js";
import { toSeed } from "./try-values.js";

/**
 * Writes the runtime's own errors as the contract declares them: as the operation's response for the status, else in the form that
 * most of the contract's errors have. Code, status and message go into the members that a body has for them.
 */
export function createErrorBodies(
  contract: Contract,
  { tryValues, findMaker }: Pick<Mock, "tryValues" | "findMaker">,
): ErrorContentOptions {
  const { operations } = contract;
  const declared = operations.flatMap(listErrorMediaTypes);
  const usual = findUsual(declared, contract);
  const usualName = usual === undefined ? "application/json" : toEssence(usual.name);
  const view = { registry: contract.registry, side: "response" } as const;
  const required = usual?.schema ? (flatten(usual.schema, view).required ?? []) : [];
  const isWhole = (body: Node) => required.every((name) => Object.hasOwn(body, name));
  const [usualBody] = usual?.schema ? tryValues(usual.schema, 0, false) : [];
  const byId = new Map(operations.map((operation) => [operation.id, operation]));

  /** Undefined where the operation declares no response that fits. */
  function makeDeclared(mediaType: string, problem: Problem, operation: Operation): Node | undefined {
    const { status } = problem;
    const maker = findMaker(operation);
    const response = findResponse(operation.responses, status);
    const found = response?.mediaTypes.find(({ name }) => toEssence(name) === mediaType);
    if (maker === undefined || response === undefined || found === undefined) return undefined;
    const seed = toSeed(operation.id, status);
    try {
      const made = maker.make({ response, status, accepts: [found.name], dynamic: false, seed });
      const { content } = made;
      if (content === undefined || !isNode(content.body)) return undefined;
      return describe(content.body, problem, (body) =>
        maker.isValid({ ...made, content: { ...content, body } }),
      );
    } catch {
      // No valid body can be generated; the error is sent in the usual form.
      return undefined;
    }
  }

  const toMaker = (mediaType: string) => (problem: Problem, described: { id: string } | undefined) => {
    if (toReplyKind(mediaType) === "text") return problem.message;
    const operation = described && byId.get(described.id);
    const body = operation && makeDeclared(mediaType, problem, operation);
    if (body !== undefined) return body;
    const { code, message, status } = problem;
    return isNode(usualBody) ? describe(usualBody, problem, isWhole) : { code, message, status };
  };
  const names = new Set([usualName, ...declared.map(({ name }) => toEssence(name))]);
  return {
    errorBody: Object.fromEntries([...names].map((name) => [name, toMaker(name)])),
    errorMediaType: usualName,
  };
}

/** The media types of an operation's errors that the mock can write. */
function listErrorMediaTypes(operation: Operation): readonly MediaType[] {
  const hasSuccess = listSuccesses(operation).length > 0;
  return operation.responses
    .filter(({ status }) => /^[45]/.test(status) || (status === "default" && hasSuccess))
    .flatMap(({ mediaTypes }) => mediaTypes)
    .filter(({ name }) => !isRange(name) && toReplyKind(name) !== "binary");
}

/** The JSON media type whose schema most errors have. */
function findUsual(declared: readonly MediaType[], { registry }: Contract): MediaType | undefined {
  const options = { registry, side: "response", toUri: (reference: string) => reference } as const;
  const groups = groupBy(
    declared.filter(({ name }) => toReplyKind(name) === "json"),
    ({ name, schema }) => JSON.stringify([toEssence(name), schema && toJsonSchema(schema, options)]),
  );
  const [most = []] = [...groups.values()].sort((a, b) => b.length - a.length);
  return most[0];
}

/** Describes a problem in the members that an error body has for it, each where the body stays valid. */
function describe(body: Node, problem: Problem, isValid: (body: Node) => boolean): Node {
  return setMembers(listProblems(body, problem, isValid), toMembers(problem), isValid);
}

/** Replaces each list of a body by the problem's violations. A list that cannot show them is left out, or empty if it is required. */
function listProblems(body: Node, problem: Problem, isValid: (body: Node) => boolean): Node {
  const { violations = [] } = problem;
  let described = body;
  for (const [name, list] of Object.entries(body)) {
    if (name === "error" && isNode(list)) {
      const error = listProblems(list, problem, (inner) => isValid({ ...described, error: inner }));
      described = { ...described, error };
    }
    if (!Array.isArray(list)) continue;
    const items = violations.map((violation) => toItem((list as readonly unknown[])[0], violation, problem));
    const isKnown = items.length > 0 && !items.includes(undefined);
    const choices = [
      ...(isKnown ? [{ ...described, [name]: items }] : []),
      withoutMember(described, name),
      { ...described, [name]: [] },
    ];
    described = choices.find(isValid) ?? described;
  }
  return described;
}

/** Describes a violation in the members of an item of a list. Undefined where none of them can say what is wrong. */
function toItem(like: unknown, { in: place, path, text }: Violation, { code }: Problem): unknown {
  if (typeof like === "string") return `${[place, ...path].join(".")} ${text}`;
  if (!isNode(like)) return undefined;
  const dotted = path.join(".");
  const texts = { message: text, detail: text, reason: text, description: text, text };
  const members: Node = {
    ...texts,
    code,
    in: place,
    location: place,
    path: Array.isArray(like["path"]) ? path : dotted,
    field: dotted,
    name: dotted,
    parameter: dotted,
    property: dotted,
    pointer: joinPointer("#", ...path),
  };
  const names = Object.keys(like).filter((name) => Object.hasOwn(members, name));
  if (!names.some((name) => Object.hasOwn(texts, name))) return undefined;
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

function toMembers({ code, message, status }: Problem): Node {
  return {
    code,
    status,
    statusCode: status,
    title: TITLES[status] ?? code,
    message,
    detail: message,
    description: message,
    error_description: message,
    error: message,
  };
}

/** Reason phrases of the statuses that the runtime refuses requests with. */
const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  410: "Gone",
  413: "Payload Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  505: "HTTP Version Not Supported",
};
