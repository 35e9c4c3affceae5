import { isNode, type Located, members } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { type Scope, type Sides, tell } from "./comparison.js";
import { compareContent } from "./content.js";
import { compareHeaders } from "./headers.js";
import type { View } from "./view.js";

type Responses = ReadonlyMap<string, Located>;

/** Compares what clients get. A status that only a range or `default` of the other side covers is compared with that. */
export function compareResponses(operations: Sides<Located>, scope: Scope): void {
  const base = listResponses(operations.base, scope.views.base);
  const revision = listResponses(operations.revision, scope.views.revision);
  for (const [status, response] of base) {
    const other = revision.get(status) ?? findCovering(status, revision);
    if (other !== undefined) {
      compareResponse(status, { base: response, revision: other }, scope);
      continue;
    }
    // What takes the place of a range is compared below.
    const code =
      isSuccess(status) && !isNarrowed(status, revision)
        ? "response-success-removed"
        : "response-status-removed";
    tell(
      code,
      { message: `There is no response ${status} any more`, at: { base: response }, before: status },
      scope,
    );
  }
  for (const [status, response] of revision) {
    if (base.has(status)) continue;
    const other = findCovering(status, base);
    if (other !== undefined) {
      compareResponse(status, { base: other, revision: response }, scope);
      continue;
    }
    const code = isSuccess(status) ? "response-success-added" : "response-status-added";
    tell(
      code,
      { message: `There is a new response ${status}`, at: { revision: response }, after: status },
      scope,
    );
  }
}

function compareResponse(status: string, responses: Sides<Located>, scope: Scope): void {
  const owner = status === "default" ? "the default response" : `the response ${status}`;
  const name = owner.replace("t", "T");
  compareHeaders(responses, owner, scope);
  const [before, after] = [hasBody(responses.base), hasBody(responses.revision)];
  if (before && after) {
    compareContent(responses, { direction: "response", name }, scope);
  } else if (before !== after) {
    const code = after ? "response-body-added" : "response-body-removed";
    tell(
      code,
      { message: `${name} has ${after ? "a" : "no"} body${after ? "" : " any more"}`, at: responses },
      scope,
    );
  }
}

function hasBody(response: Located): boolean {
  return members(response, "content").length > 0;
}

/** The range of a status, else `default`, which stands for errors where successes are declared. It is covered by nothing itself. */
function findCovering(status: string, responses: Responses): Located | undefined {
  if (status === "default") return undefined;
  const range = responses.get(`${status.charAt(0)}XX`);
  if (range !== undefined) return range;
  const isForErrors = isSuccess(status) && [...responses.keys()].some(isSuccess);
  return isForErrors ? undefined : responses.get("default");
}

function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

/** Whether a range is followed by statuses of it. */
function isNarrowed(status: string, responses: Responses): boolean {
  return status.endsWith("XX") && [...responses.keys()].some((other) => other.startsWith(status.charAt(0)));
}

function listResponses({ node, pointer }: Located, view: View): Responses {
  const responses = getOwn(node, "responses");
  if (!isNode(responses)) return new Map();
  return new Map(
    members({ node, pointer }, "responses")
      .filter(({ name }) => /^(?:default|\d\d\d|\dXX)$/i.test(name))
      .map(({ name, ...response }) => [
        /^\dxx$/i.test(name) ? name.toUpperCase() : name,
        view.resolve(response),
      ]),
  );
}
