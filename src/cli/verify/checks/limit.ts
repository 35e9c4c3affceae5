import { isNode } from "tenon/core/document";
import type { Operation, Parameter } from "tenon/core/model";
import { flatten } from "../../values/index.js";
import { isSuccess, toJson } from "../messages/index.js";
import type { Check } from "./finding.js";

/** Usual names of the parameter that limits the length of a page. */
const NAMES = new Set(
  "limit perpage pagesize pagelimit maxresults maxitems top maxpagesize resultsperpage".split(" "),
);

/** No page has more items than its limit, requested or by default. */
export const checkLimit: Check = ({ testCase, response }, { requests }) => {
  const { operation, value, expectation } = testCase;
  const parameter = findLimit(operation);
  if (parameter === undefined || !isSuccess(response.status) || expectation === "refused") return [];
  const requested = value.query?.[parameter.name];
  const limit = requested ?? flatten(parameter.schema, requests).default;
  const items = toItems(toJson(response));
  // A negative limit limits nothing.
  if (typeof limit !== "number" || limit < 0 || items === undefined || items.length <= limit) return [];
  const how = requested === undefined ? "by default" : "requested";
  const message = `A page has ${items.length} items, but ${parameter.name} is ${limit} (${how})`;
  return [{ check: "limit", message, detail: how }];
};

/** The parameter that limits the length of a page. */
export function findLimit({ parameters, method }: Operation): Parameter | undefined {
  if (method !== "get") return undefined;
  return parameters.find(
    ({ name, in: location }) =>
      location === "query" && NAMES.has(name.toLowerCase().replaceAll(/[^a-z]/g, "")),
  );
}

/** The items of a page: the body, or the only list in it. */
export function toItems(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body as readonly unknown[];
  if (!isNode(body)) return undefined;
  const [list, ...others] = Object.values(body).filter((member): member is unknown[] =>
    Array.isArray(member),
  );
  return others.length === 0 ? list : undefined;
}
