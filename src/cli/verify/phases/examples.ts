import { makeValid, withKnownPath } from "../drafts.js";
import type { Draft } from "../draft.js";
import { flatten } from "../../values/flatten.js";
import { isObject, isSame } from "../../values/schema.js";
import type { RequestShape, RequestValue } from "../target.js";
import type { Trial } from "../trial.js";
import type { PhaseRun } from "./phase.js";

/** What the author gives as examples: each body once, without and with the examples of all parameters. */
export const runExamples: PhaseRun = async (operation, trial) => {
  for (const shape of operation.shapes) {
    const [base] = makeValid(operation, shape, { phase: "examples", count: 1 }, trial);
    if (base === undefined) continue;
    for (const value of toValues(shape, base.value, trial)) {
      const draft: Draft = { ...base, value };
      if (trial.requests.find(shape.schema, value) === undefined)
        await trial.try(withKnownPath(draft, 0, trial));
    }
  }
};

/** @param base What is taken where something is required and has no example. */
function toValues(
  shape: RequestShape,
  base: RequestValue,
  { target: { requests } }: Trial,
): readonly RequestValue[] {
  const { properties = {} } = flatten(requests.get(shape.schema), requests);
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
      const made = isObject(given) ? given[name] : undefined;
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
