import { type ServerResponse, validateHeaderName, validateHeaderValue } from "node:http";
import { HEADERS, isKnownNode, type NodeResponse } from "../http/node-response.js";

/** Sets headers on a response. */
export type SetHeaders = (response: ServerResponse) => void;

/**
 * Headers that are the same in every response are validated once, not on each response as `setHeader` does.
 * @throws for a name or value that HTTP does not allow.
 */
export function createFixedHeaders(headers: Readonly<Record<string, string>>): SetHeaders {
  const entries = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return { key: name.toLowerCase(), name, value };
  });
  if (entries.length === 0) return () => undefined;
  if (!isKnownNode)
    return (response) => {
      for (const { name, value } of entries) response.setHeader(name, value);
    };
  return (response) => {
    const known = response as unknown as NodeResponse;
    const set = (known[HEADERS] ??= Object.create(null) as NonNullable<NodeResponse[typeof HEADERS]>);
    for (const { key, name, value } of entries) set[key] = [name, value];
  };
}
