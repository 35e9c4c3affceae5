import type { Source } from "../document/source.js";
import { toRequestBody, toResponses } from "./build-content.js";
import { toHeaders, toParameters } from "./build-parameters.js";
import { type BuildContext, lazily, resolve } from "./context.js";
import type { Components } from "./contract.js";

type Reference = ReturnType<Source["components"]>[number];

/** Builds the components when they are first read. Their problems are reported where they are used. */
export function buildComponents(reporting: BuildContext): Components {
  const context = { ...reporting, report: () => undefined };
  const build = <T>(kind: string, toList: (reference: Reference) => readonly T[]): ReadonlyMap<string, T> =>
    new Map(
      context.source
        .components(kind)
        .flatMap((reference) => toList(reference).map((built) => [reference.name, built] as const)),
    );
  return lazily<Components>({
    parameters: () => build("parameters", (reference) => toParameters(reference, context)),
    headers: () => build("headers", (reference) => toHeaders(reference, context)),
    requestBodies: () =>
      build("requestBodies", (reference) => {
        const body = resolve(reference, context);
        const label = `request body "${reference.name}"`;
        return body ? [toRequestBody(body, { label, receivesForms: true }, context)] : [];
      }),
    responses: () =>
      build("responses", (reference) => toResponses(reference, `response "${reference.name}"`, context)),
  });
}
