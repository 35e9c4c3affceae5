import { createExtractor, getValue, isNode, type Node, Source, toNode } from "tenon/core/document";
import { escapeMarkdown } from "../annotate/index.js";
import { type Entry, toHash } from "./menu-entries.js";
import { shorten } from "./shorten.js";

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
  const extract = createExtractor(contract);
  const source = new Source(contract);
  const { openapi, info, servers, security, externalDocs } = contract;
  const { title, version } = toNode(info);
  const make = (own: Node, components: Node = {}) => {
    // Security requirements name schemes, which is no reference.
    const securitySchemes = getValue(contract["components"], "securitySchemes") ?? {};
    const base = { openapi, info: { title, version }, servers, security, paths: {} };
    return shorten(extract({ ...base, ...own, components: { securitySchemes, ...components } }));
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
      const written = toNode(getValue(contract[place], path));
      const pathItem = source.resolve({ node: written, pointer: "#" })?.node ?? {};
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
  const schemas = toNode(getValue(contract["components"], "schemas"));
  return Object.fromEntries(
    Object.entries(schemas).filter(([, schema]) => {
      const tags = getValue(schema, "x-tags");
      return Array.isArray(tags) && tags.includes(tag);
    }),
  );
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
