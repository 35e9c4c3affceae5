import { type ContractDocument, getByReference } from "tenon/runtime/contract-document";
import type { OperationDescriptor } from "tenon/runtime/operation";
import type { SchemaBook } from "../values/book.js";
import type { Schema } from "../values/schema.js";

/** A response as the contract declares it. */
export interface DeclaredResponse {
  /** Status code, range or `default`. */
  readonly status: string;
  readonly content: readonly DeclaredContent[];
  readonly headers: readonly DeclaredHeader[];
}

export interface DeclaredContent {
  /** As the contract writes it; may be a range. */
  readonly mediaType: string;
  readonly schema: Schema;
  readonly examples: readonly Example[];
}

export interface DeclaredHeader {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly examples: readonly Example[];
}

export interface Example {
  /** Its key in `examples`; `default` for the one of `example`. */
  readonly name: string;
  readonly value: unknown;
  /** Where the bundled document has it. */
  readonly pointer: string;
}

type Node = Readonly<Record<string, unknown>>;

interface Located {
  readonly node: Node;
  readonly pointer: string;
}

/** Reads the responses of an operation, in document order. Schemas are put into the book. */
export function readResponses(
  document: ContractDocument,
  { path, method }: Pick<OperationDescriptor, "path" | "method">,
  book: SchemaBook,
): readonly DeclaredResponse[] {
  const root = { node: document as unknown as Node, pointer: "#" };
  const follow = createFollow(document);
  const operation = follow(child(follow(child(child(root, "paths"), path)), method));
  return entries(child(operation, "responses")).flatMap(({ key, ...response }) => {
    if (key.startsWith("x-")) return [];
    const found = follow(response);
    return {
      status: key,
      content: entries(child(found, "content")).map(({ key: mediaType, ...content }) => ({
        mediaType,
        ...readValue(content, book, follow),
      })),
      headers: entries(child(found, "headers")).map(({ key: name, ...header }) => {
        const declared = follow(header);
        return { name, required: declared.node["required"] === true, ...readValue(declared, book, follow) };
      }),
    };
  });
}

function readValue(owner: Located, book: SchemaBook, follow: (located: Located) => Located) {
  const { schema } = owner.node;
  return {
    schema: schema === undefined ? true : book.get(book.add(schema)),
    examples: readExamples(owner, follow),
  };
}

/** Examples that are elsewhere (`externalValue`) are not fetched. */
function readExamples(owner: Located, follow: (located: Located) => Located): readonly Example[] {
  const { example } = owner.node;
  const single =
    example === undefined
      ? []
      : [{ name: "default", value: example, pointer: child(owner, "example").pointer }];
  const named = entries(child(owner, "examples")).flatMap(({ key, ...located }) => {
    const found = follow(located);
    const { value } = found.node;
    return value === undefined ? [] : { name: key, value, pointer: child(found, "value").pointer };
  });
  return [...single, ...named];
}

function createFollow(document: ContractDocument): (located: Located) => Located {
  return ({ node, pointer }) => {
    const target = { node, pointer };
    for (let { $ref } = target.node; typeof $ref === "string"; { $ref } = target.node) {
      target.node = toNode(getByReference(document, $ref));
      target.pointer = $ref;
    }
    return target;
  };
}

function child({ node, pointer }: Located, key: string): Located {
  const escaped = encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
  return { node: Object.hasOwn(node, key) ? toNode(node[key]) : {}, pointer: `${pointer}/${escaped}` };
}

function entries(located: Located): readonly (Located & { readonly key: string })[] {
  return Object.keys(located.node).map((key) => ({ key, ...child(located, key) }));
}

function toNode(value: unknown): Node {
  return typeof value === "object" && value !== null ? (value as Node) : {};
}
