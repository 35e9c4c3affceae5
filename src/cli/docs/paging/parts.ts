import {
  countUnfolded,
  createExtractor,
  getValue,
  isNode,
  mapReferences,
  type Node,
  Source,
  toNode,
} from "tenon/core/document";
import { escapeMarkdown } from "../annotate/markdown.js";
import { type Entry, toHash } from "./menu-entries.js";

/** Creates contracts of parts of a large one, for a renderer that renders all of a contract. */
export interface Parts {
  /** The contract's description, without tags and operations. */
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
    // Security requirements name schemes without a reference.
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

/** Finds a tag, which need not be declared. */
function findTag(contract: Node, { id, name }: Entry): Node {
  const { tags } = contract;
  const named = (Array.isArray(tags) ? tags : [])
    .map(toNode)
    .filter((tag) => name === (tag["x-displayName"] ?? tag["name"]));
  return named.find((tag) => id === `tag/${String(tag["name"])}`) ?? named[0] ?? { name };
}

/** Lists the schemas that name a tag in `x-tags`. */
function findSchemas(contract: Node, tag: unknown): Node {
  const schemas = toNode(getValue(contract["components"], "schemas"));
  return Object.fromEntries(
    Object.entries(schemas).filter(([, schema]) => {
      const tags = getValue(schema, "x-tags");
      return Array.isArray(tags) && tags.includes(tag);
    }),
  );
}

/** Lists operations in Markdown. */
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

/**
 * Objects that a browser renders in a second. An operation of Kubernetes has up to 20,600, of GitHub 4,900; of Stripe and DocuSign,
 * whose schemas refer to each other in many circles, more than a million, for which no browser has the memory.
 */
const MAX_OBJECTS = 50_000;

/**
 * Shortens a part whose schemas refer to each other so much that a browser cannot unfold them, as Redoc does with every reference: the
 * schemas that its operation refers to have names in place of the schemas within them. Other parts stay as they are.
 */
function shorten(part: Node): Node {
  const { components } = part;
  if (
    countUnfolded(part, MAX_OBJECTS) <= MAX_OBJECTS ||
    !isNode(components) ||
    !isNode(components["schemas"])
  )
    return part;
  const schemas = Object.entries(components["schemas"]).map(([name, schema]) => [
    name,
    mapReferences(schema, nameSchema),
  ]);
  return { ...part, components: { ...components, schemas: Object.fromEntries(schemas) as Node } };
}

function nameSchema(reference: string): Node {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return {
    title: name,
    description: `Schema \`${name}\`, which is not unfolded here: there is too much in it.`,
  };
}
