import { isNode, type Node } from "tenon/core/legacy/document";
import { getByPointer, getMember } from "tenon/core/document/pointer";
import { escapeMarkdown } from "../markdown.js";
import { toNode } from "../members.js";
import { type Entry, toHash } from "./entry.js";
import { shorten } from "./shorten.js";
import { createWithReferenced } from "./with-referenced.js";

/** Makes contracts of parts of a large one, for a renderer that renders all that it gets. */
export interface Parts {
  /** What the contract says of itself: its description, without tags and operations. */
  readonly introduction: () => Node;
  /** A tag's description and schemas, and a list of its operations. */
  readonly tag: (tag: Entry) => Node;
  /** @param tag The one under which it is shown; undefined when it has none. */
  readonly operation: (operation: Entry, tag: Entry | undefined) => Node;
}

/** @param contract OpenAPI 3. */
export function createParts(contract: Node): Parts {
  const withReferenced = createWithReferenced(contract);
  const { openapi, info, servers, security, externalDocs } = contract;
  const { title, version } = toNode(info);
  const make = (own: Node, components: Node = {}) => {
    // Security requirements name schemes, which is no reference.
    const securitySchemes = getMember(contract["components"], "securitySchemes") ?? {};
    const base = { openapi, info: { title, version }, servers, security, paths: {} };
    return shorten(withReferenced({ ...base, ...own, components: { securitySchemes, ...components } }));
  };
  return {
    introduction: () => make({ info, externalDocs }),
    tag: (entry) => {
      const tag = findTag(contract, entry);
      const description = [tag["description"], "# Operations", listOperations(entry)]
        .filter(Boolean)
        .join("\n\n");
      return make({ tags: [{ ...tag, description }] }, { schemas: findSchemas(contract, tag["name"]) });
    },
    operation: ({ operation }, tagEntry) => {
      const { method = "", path = "", isWebhook = false } = operation ?? {};
      const place = isWebhook ? (isNode(contract["x-webhooks"]) ? "x-webhooks" : "webhooks") : "paths";
      const pathItem = dereference(contract, getMember(contract[place], path));
      const tags = tagEntry === undefined ? [] : [findTag(contract, tagEntry)];
      const own = { ...toNode(pathItem[method]), tags: tags.map(({ name }) => name) };
      return make({
        // Above each operation, the tag's description would be in the way.
        tags: tags.map((tag) => ({ name: tag["name"], "x-displayName": tag["x-displayName"] })),
        [place]: {
          [path]: { parameters: pathItem["parameters"], servers: pathItem["servers"], [method]: own },
        },
      });
    },
  };
}

/** As declared, or by its name alone: a tag need not be declared. */
function findTag(contract: Node, { id, name }: Entry): Node {
  const { tags } = contract;
  const named = (Array.isArray(tags) ? tags : [])
    .map(toNode)
    .filter((tag) => name === (tag["x-displayName"] ?? tag["name"]));
  return named.find((tag) => id === `tag/${String(tag["name"])}`) ?? named[0] ?? { name };
}

/** The schemas that say of themselves that they belong to a tag. */
function findSchemas(contract: Node, tag: unknown): Node {
  const schemas = toNode(getMember(contract["components"], "schemas"));
  return Object.fromEntries(
    Object.entries(schemas).filter(([, schema]) => {
      const tags = getMember(schema, "x-tags");
      return Array.isArray(tags) && tags.includes(tag);
    }),
  );
}

function dereference(contract: Node, value: unknown): Node {
  const reference = getMember(value, "$ref");
  return toNode(typeof reference === "string" ? getByPointer(contract, reference) : value);
}

/** In Markdown. */
function listOperations({ entries }: Entry): string {
  const lines = entries.flatMap(({ id, name, operation }) => {
    if (operation === undefined) return [];
    const { method, path, isWebhook } = operation;
    const place = isWebhook ? "webhook" : `\`${method.toUpperCase()} ${path.replaceAll("`", "")}\``;
    return [`- [${escapeMarkdown(name)}](${toLinkTarget(id)}) ${place}`];
  });
  return lines.join("\n");
}

/** A parenthesis would end the link. */
function toLinkTarget(id: string): string {
  return toHash(id).replaceAll("(", "%28").replaceAll(")", "%29");
}
