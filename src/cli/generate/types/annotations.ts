import type { Lifecycle, Node } from "tenon/core/document";
import { describeStability, tagDeprecated } from "../lifecycle-comment.js";

/** The fields of a node that its comment contains. */
export interface Annotated {
  readonly title?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly lifecycle?: Lifecycle;
}

/**
 * Returns the fields from which openapi-typescript emits the comment of a member. A lifecycle becomes plain text, because its own
 * `@deprecated` has no text. It comes last, because the text of a tag ends at the next tag.
 * @param successor Description of the operation to use instead.
 */
export function toAnnotations(annotated: Annotated, successor?: string): Node {
  const { lifecycle, ...written } = annotated;
  const { title, summary, format, ...tags } = pick(written);
  if (lifecycle === undefined) return { title, summary, format, ...tags };
  const [stability] = describeStability(lifecycle);
  if (!lifecycle.deprecated)
    return { title: joinLines([title, summary]), summary: stability, format, ...tags };
  const formatted = format === undefined ? undefined : `Format: ${format}`;
  const text = joinLines([title, summary, formatted, stability]);
  return { title: text, summary: disarm(tagDeprecated(lifecycle, successor)), ...tags };
}

/** Picks the fields of the comment. */
function pick(annotated: Annotated): Omit<Annotated, "lifecycle"> {
  const { title, summary, description, format, examples } = annotated;
  return {
    ...(title !== undefined && { title: disarm(title) }),
    ...(summary !== undefined && { summary: disarm(summary) }),
    ...(format !== undefined && { format: disarm(format) }),
    ...(description !== undefined && { description: disarm(description) }),
    ...("default" in annotated && { default: disarm(annotated.default) }),
    ...(examples && { examples: examples.map(disarm) }),
  };
}

function joinLines(texts: readonly (string | undefined)[]): string | undefined {
  const lines = texts.filter((text) => text !== undefined);
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** Escapes directives such as `@ts-expect-error`, which the compiler would obey. */
function disarm<Value>(value: Value): Value | string {
  return typeof value === "string" ? value.replaceAll(/(?<!\\)@ts-/g, "\\@ts-") : value;
}
