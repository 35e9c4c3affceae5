import type { TargetOperation } from "../target.js";
import { flatten } from "../../values/flatten.js";
import { isObject } from "../../values/schema.js";
import { type Check, isSuccess, toJson } from "./check.js";

/** What services call the greatest length of a page. */
const NAMES = new Set(
  "limit perpage pagesize pagelimit maxresults maxitems top maxpagesize resultsperpage".split(" "),
);

/** A page has no more items than its limit, asked for or by default. */
export const checkLimit: Check = ({ draft: { operation, value, expectation }, answer }, { target }) => {
  const parameter = findLimit(operation);
  if (parameter === undefined || !isSuccess(answer.status) || expectation === "refused") return [];
  const asked = value.query?.[parameter.name];
  const { default: byDefault } = flatten(target.requests.get(parameter.schema), target.requests);
  const limit = asked ?? byDefault;
  const items = toItems(toJson(answer));
  // What is less than nothing is no limit, and is told where it is not refused.
  if (typeof limit !== "number" || limit < 0 || items === undefined || items.length <= limit) return [];
  const how = asked === undefined ? "by default" : "asked for";
  const message = `A page has ${items.length} items, and ${limit} is the ${parameter.name} ${how}`;
  return [{ check: "limit", message, detail: how }];
};

export function findLimit({ parameters, method }: TargetOperation) {
  if (method !== "get") return undefined;
  return parameters.find(
    ({ name, in: place }) => place === "query" && NAMES.has(name.toLowerCase().replaceAll(/[^a-z]/g, "")),
  );
}

/** The items of a page: the body, or the one list in it. */
export function toItems(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body as readonly unknown[];
  if (!isObject(body)) return undefined;
  const lists: readonly (readonly unknown[])[] = Object.values(body).filter((member) =>
    Array.isArray(member),
  );
  return lists.length === 1 ? lists[0] : undefined;
}
