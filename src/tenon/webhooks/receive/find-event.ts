import type { Request } from "express";
import { getOwn } from "../../core/document/pointer.js";
import type { Contract, OutgoingOperation } from "../../core/model/index.js";
import { parseExactJson } from "../../runtime/body/json.js";
import { splitTarget } from "../../runtime/routing/match.js";

/**
 * The part of a request that names its webhook: the last segment of its path, a header, or a property of its JSON body.
 * @example
 * const github: EventSource = { header: "X-GitHub-Event" };
 * const standard: EventSource = { property: "type" };
 */
export type EventSource = "path" | { readonly header: string } | { readonly property: string };

/** Finds the name of a webhook. Returns the sender's text if there is no such webhook, and undefined if the text is missing. */
export type FindEvent = (request: Request, body: Buffer) => string | undefined;

/**
 * Creates the function that finds the name of a webhook.
 * @param source Default: a contract's only webhook is every request's; with several ones, `path`.
 */
export function createFindEvent(
  operations: readonly OutgoingOperation[],
  contract: Contract,
  source: EventSource | undefined,
): FindEvent {
  const [only, ...others] = new Set(operations.map(({ outgoing }) => outgoing.name));
  if (source === undefined && others.length === 0) return () => only;
  if (source === undefined || source === "path")
    return ({ url }) => decode(splitTarget(url).path.split("/").at(-1) ?? "");
  if ("header" in source) return (request) => request.get(source.header);
  const { property } = source;
  const names = listConstants(operations, contract, property);
  return (_request, body) => {
    const parsed = parseExactJson(body);
    const value = typeof parsed === "object" && parsed !== null ? getOwn(parsed, property) : undefined;
    return typeof value === "string" ? (names.get(value) ?? value) : undefined;
  };
}

/** Webhooks by the values that their schemas allow for a property: `pet.sold` for `type: { const: pet.sold }`. */
function listConstants(
  operations: readonly OutgoingOperation[],
  { registry }: Contract,
  property: string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { outgoing, requestBody } of operations)
    for (const { schema } of requestBody?.mediaTypes ?? [])
      for (const part of schema ? registry.parts(schema) : []) {
        const declared = getOwn(part.properties ?? {}, property);
        for (const value of (declared && registry.resolve(declared).enum) ?? [])
          if (typeof value === "string" && !names.has(value)) names.set(value, outgoing.name);
      }
  return names;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
