import type { Location, LocationObject } from "@redocly/openapi-core";

/** The key of a location, so that a report underlines the name and not the whole value; `Location.key()` with its type. */
export function onKey({ source, pointer }: Location): LocationObject {
  return { source, pointer, reportOnKey: true };
}
