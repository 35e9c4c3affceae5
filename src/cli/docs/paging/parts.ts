import {
  countUnfolded,
  createExtractor,
  getValue,
  isNode,
  mapReferences,
  type Node,
  Source,
  toArray,
  toNode,
} from "tenon/core/document";
import { escapeMarkdown } from "../annotate/markdown.js";
import { type Entry, toHash } from "./menu-entries.js";

/**
 * Creates contracts of parts of a large one, for a renderer that renders all of a contract.
 * @param contract OpenAPI 3.
 */
export function createParts(contract: Node) {
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
    /** The contract's description, without tags and operations. */
    introduction: () => make({ info, externalDocs }),
    /** A tag's description and schemas, and a list of its operations. */
    tag: (entry: Entry) => {
      const tag = findTag(contract, entry);
      const texts = [tag["description"], "# Operations", listOperations(entry)];
      const description = texts.filter(Boolean).join("\n\n");
      return make({ tags: [{ ...tag, description }] }, { schemas: findSchemas(contract, tag["name"]) });
    },
    /** @param tagEntry The tag under which it is shown; undefined when it has none. */
    operation: ({ operation }: Entry, tagEntry: Entry | undefined) => {
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
  const named = toArray(contract["tags"])
    .map(toNode)
    .filter((tag) => name === (tag["x-displayName"] ?? tag["name"]));
  return named.find((tag) => id === `tag/${String(tag["name"])}`) ?? named[0] ?? { name };
}

/** Lists the schemas that name a tag in `x-tags`. */
function findSchemas(contract: Node, tag: unknown): Node {
  const schemas = toNode(getValue(contract["components"], "schemas"));
  return Object.fromEntries(
    Object.entries(schemas).filter(([, schema]) => toArray(getValue(schema, "x-tags")).includes(tag)),
  );
}

/** Lists operations in Markdown. */
function listOperations({ entries }: Entry): string {
  const lines = entries.flatMap(({ id, name, operation }) => {
    if (operation === undefined) return [];
    const { method, path, isWebhook } = operation;
    const place = isWebhook ? "webhook" : `\`${method.toUpperCase()} ${path.replaceAll("`", "")}\``;
    // A parenthesis would end the link.
    const target = toHash(id).replaceAll("(", "%28").replaceAll(")", "%29");
    return [`- [${escapeMarkdown(name)}](${target}) ${place}`];
  });
  return lines.join("\n");
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
  const components = toNode(part["components"]);
  if (countUnfolded(part, MAX_OBJECTS) <= MAX_OBJECTS || !isNode(components["schemas"])) return part;
  const shortened = Object.entries(components["schemas"]).map(([name, schema]) => [
    name,
    mapReferences(schema, nameSchema),
  ]);
  return { ...part, components: { ...components, schemas: Object.fromEntries(shortened) as Node } };
}

function nameSchema(reference: string): Node {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return {
    title: name,
    description: `Schema \`${name}\`, which is not unfolded here: there is too much in it.`,
  };
}
