import {
  type DocumentContext,
  isNode,
  type Located,
  members,
  type Node,
  resolve,
} from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import type { ParameterStyle } from "tenon/core/legacy/model";
import type { SchemaBook } from "../values/book.js";
import type { TargetContent } from "./target.js";

/** The media types of a request body or response. */
export function buildContent(
  owner: Located,
  book: SchemaBook,
  context: DocumentContext,
): readonly TargetContent[] {
  return members(owner, "content").map(({ name, ...mediaType }) => {
    const schema = getOwn(mediaType.node, "schema");
    // What has no style is written by its type.
    const styled = members(mediaType, "encoding").filter(({ node }) => "style" in node || "explode" in node);
    const fields = styled.map(({ name: field, node }) => [field, toStyle(node)] as const);
    return {
      mediaType: name,
      ...(schema !== undefined && { schema: book.add(schema) }),
      examples: readExamples(mediaType, context),
      ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    };
  });
}

function toStyle({ style, explode }: Node): { readonly style?: ParameterStyle; readonly explode?: boolean } {
  return {
    ...(typeof style === "string" && { style: style as ParameterStyle }),
    ...(typeof explode === "boolean" && { explode }),
  };
}

/** `example` and the values of `examples`. Those that are elsewhere (`externalValue`) are not fetched. */
export function readExamples(owner: Located, context: DocumentContext): readonly unknown[] {
  const single = "example" in owner.node ? [owner.node["example"]] : [];
  const several = members(owner, "examples").flatMap(({ node, pointer }) => {
    const found = resolve({ node, pointer }, context)?.node;
    return isNode(found) && "value" in found ? [found["value"]] : [];
  });
  return [...single, ...several];
}
