import { isNode } from "tenon/core/document";
import type { Operation } from "tenon/core/model";
import { makePredictable, makeValid } from "../cases/index.js";
import { type Exchange, findDefault, findLimit } from "../checks/index.js";
import { isSuccess, listShapes, type TestCase, toJson } from "../messages/index.js";
import type { Run, RunPhase } from "../run/index.js";
import { checkCreated } from "./created.js";
import { checkPages } from "./pages.js";

/** Resources that are created; more when a page holds more. */
const LEAST = 5;
const MOST = 25;
/** Resources that are read one by one. */
const READ = 5;

/** Creates resources, then reads them, one by one and in the pages of the list. */
export const runSequences: RunPhase = async (operation, run) => {
  for (const creation of run.creations.filter(({ create }) => create === operation)) {
    const [shape] = listShapes(operation);
    if (shape === undefined) continue;
    const wanted = Math.min(MOST, Math.max(LEAST, findPageLength(creation.list, run) + 2));
    const created: Exchange[] = [];
    for (const testCase of makeValid(operation, shape, { phase: "sequences", count: wanted }, run)) {
      const exchange = await run.test(makePredictable(withoutOptional(testCase), run.requests));
      if (exchange === undefined || !isSuccess(exchange.response.status)) continue;
      const resource = toJson(exchange.response);
      if (!isNode(resource) || resource[creation.member] === undefined) continue;
      created.push(exchange);
      if (created.length <= READ) await checkCreated(creation, exchange, run);
    }
    if (creation.list !== undefined) await checkPages({ ...creation, list: creation.list }, created, run);
  }
};

/** Number of items on a page by default. */
function findPageLength(list: Operation | undefined, { requests }: Run): number {
  const limit = list && findLimit(list);
  const byDefault = limit && findDefault(limit, requests);
  return typeof byDefault === "number" ? byDefault : 0;
}

/** Removes optional parameters: an idempotency key would create less. */
function withoutOptional(testCase: TestCase): TestCase {
  const { parameters } = testCase.operation;
  const keep = (location: "query" | "header" | "cookie") =>
    Object.fromEntries(
      Object.entries(testCase.value[location] ?? {}).filter(([name]) =>
        parameters.some((one) => one.in === location && one.name === name && one.required),
      ),
    );
  const { query, header, cookie } = testCase.value;
  return {
    ...testCase,
    value: {
      ...testCase.value,
      ...(query && { query: keep("query") }),
      ...(header && { header: keep("header") }),
      ...(cookie && { cookie: keep("cookie") }),
    },
  };
}
