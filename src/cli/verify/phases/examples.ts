import { isNode } from "tenon/core/document";
import { isSame } from "tenon/core/schema";
import { flatten } from "../../values/index.js";
import { makeValid, withKnownPath } from "../cases/index.js";
import { listShapes, type RequestShape, type RequestValue } from "../messages/index.js";
import type { Run, RunPhase } from "../run/index.js";

/** Tests the author's examples: each body once, without and with the examples of all parameters. */
export const runExamples: RunPhase = async (operation, run) => {
  for (const shape of listShapes(operation)) {
    const [base] = makeValid(operation, shape, { phase: "examples", count: 1 }, run);
    if (base === undefined) continue;
    for (const value of toValues(shape, base.value, run)) {
      if (run.requests.find(shape.schema, value) === undefined)
        await run.test(withKnownPath({ ...base, value }, 0, run));
    }
  }
};

/** @param base Has the values of required parts without an example. */
function toValues(
  { schema: whole }: RequestShape,
  base: RequestValue,
  { requests }: Run,
): readonly RequestValue[] {
  const { properties = {} } = flatten(whole, requests);
  const [least, most]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  let bodies: readonly unknown[] = [];
  for (const [part, schema] of Object.entries(properties)) {
    const section = flatten(schema, requests);
    if (part === "body") {
      const { examples = [] } = section;
      bodies = examples.length > 0 || base.body === undefined ? examples : [base.body];
      continue;
    }
    const given = base[part as keyof RequestValue];
    const required = section.required ?? [];
    const members = Object.entries(section.properties ?? {}).flatMap(([name, parameter]) => {
      const [example] = flatten(parameter, requests).examples ?? [];
      const made = isNode(given) ? given[name] : undefined;
      const value = example ?? (required.includes(name) ? made : undefined);
      return value === undefined ? [] : [[name, value] as const];
    });
    least[part] = Object.fromEntries(members.filter(([name]) => required.includes(name)));
    most[part] = Object.fromEntries(members);
  }
  const sections = isSame(least, most) ? [least] : [least, most];
  if (bodies.length === 0) return sections;
  return [
    ...bodies.map((body) => ({ ...least, body })),
    ...sections.slice(1).map((parts) => ({ ...parts, body: bodies[0] })),
  ];
}
