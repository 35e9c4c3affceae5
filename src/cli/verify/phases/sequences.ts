import { checkCreated } from "../checks/created.js";
import { isSuccess, toJson, type Exchange } from "../checks/check.js";
import { findLimit } from "../checks/limit.js";
import { checkPages } from "../checks/pages.js";
import { makeValid } from "../drafts.js";
import type { Draft } from "../draft.js";
import { vouch } from "../generate/vouched.js";
import { flatten } from "../../values/flatten.js";
import { isObject } from "../../values/schema.js";
import type { TargetOperation } from "../target.js";
import type { Trial } from "../trial.js";
import type { PhaseRun } from "./phase.js";

/** Things that are created; more when a page holds more. */
const LEAST = 5;
const MOST = 25;
/** Those that are read one by one. */
const READ = 5;

/** Creates, then reads what was created, by itself and in the pages of the list. */
export const runSequences: PhaseRun = async (operation, trial) => {
  for (const creation of trial.creations.filter(({ create }) => create === operation)) {
    const [shape] = operation.shapes;
    if (shape === undefined) continue;
    const wanted = Math.min(MOST, Math.max(LEAST, toPage(creation.list, trial) + 2));
    const drafts = makeValid(operation, shape, { phase: "sequences", count: wanted }, trial);
    const created: Exchange[] = [];
    for (const draft of drafts) {
      const exchange = await trial.try(vouch(toPlain(draft, operation), trial.target, trial.requests));
      if (exchange === undefined || !isSuccess(exchange.answer.status)) continue;
      const thing = toJson(exchange.answer);
      if (!isObject(thing) || thing[creation.member] === undefined) continue;
      created.push(exchange);
      if (created.length <= READ) await checkCreated(creation, exchange, trial);
    }
    if (creation.list !== undefined) await checkPages({ ...creation, list: creation.list }, created, trial);
  }
};

/** How many items a page has when nothing is asked for. */
function toPage(list: TargetOperation | undefined, { target: { requests } }: Trial): number {
  const limit = list && findLimit(list);
  const byDefault = limit && flatten(requests.get(limit.schema), requests).default;
  return typeof byDefault === "number" ? byDefault : 0;
}

/** Without parameters that it can do without: an idempotency key would create less. */
function toPlain(draft: Draft, { parameters }: TargetOperation): Draft {
  const keep = (place: "query" | "header" | "cookie") =>
    Object.fromEntries(
      Object.entries(draft.value[place] ?? {}).filter(([name]) =>
        parameters.some(
          (parameter) => parameter.in === place && parameter.name === name && parameter.required,
        ),
      ),
    );
  const { query, header, cookie } = draft.value;
  return {
    ...draft,
    value: {
      ...draft.value,
      ...(query && { query: keep("query") }),
      ...(header && { header: keep("header") }),
      ...(cookie && { cookie: keep("cookie") }),
    },
  };
}
