import { getReference, isNode, type Node, Source } from "tenon/core/document";
import { type Contract, toMethodKeys, toOperationLabel } from "tenon/core/model";

/** A change of the node at a pointer. */
type Edit = readonly [pointer: string, edit: (node: Node) => Node];

/** Returns the changes with which Redoc, which does not know OpenAPI 3.2, shows responses and the parameter of a query string. */
export function listRenderedEdits({ operations, components }: Contract): readonly Edit[] {
  const responses = [
    ...operations.flatMap((operation) => operation.responses),
    ...components.responses.values(),
  ];
  const parameters = [...operations.flatMap((one) => one.parameters), ...components.parameters.values()];
  return [
    ...responses.flatMap(({ pointer, summary, description }): readonly Edit[] =>
      summary === undefined || description !== undefined
        ? []
        : [[pointer, (node) => ({ ...node, description: summary })]],
    ),
    ...parameters.flatMap(({ pointer, in: location, description }): readonly Edit[] =>
      location === "querystring"
        ? [[pointer, (node) => ({ ...node, in: "query", description: describe(description) })]]
        : [],
    ),
  ];
}

function describe(description: string | undefined): string {
  return ["**The whole query string.**", description].filter((text) => text !== undefined).join(" ");
}

/**
 * Converts a document of OpenAPI 3.2 to the 3.1 that Redoc shows: references to media types are replaced by their targets, and the
 * introduction lists the operations that the page cannot show. Other documents stay.
 */
export function toRendered(document: Node, contract: Contract): Node {
  if (!contract.openapi.startsWith("3.2")) return document;
  const source = new Source(document);
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isNode(value)) return value;
    const isMediaType = getReference(value)?.startsWith("#/components/mediaTypes/") === true;
    const target = isMediaType ? source.resolve({ node: value, pointer: "#" })?.node : undefined;
    if (target !== undefined) return inline(target);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inline(member)]));
  };
  const { info, ...rest } = inline(document) as Node;
  const hidden = contract.operations.filter(
    ({ method }) => method === "query" || toMethodKeys(method).length > 1,
  );
  const lines = hidden.map((operation) => {
    const { summary } = operation;
    return `- \`${toOperationLabel(operation).replaceAll("`", "")}\`${summary === undefined ? "" : ` ${summary}`}`;
  });
  const { description } = info as { readonly description?: string };
  const note = [
    "The [console](try.html) has these operations, which this page cannot show:",
    lines.join("\n"),
  ];
  const texts = [...(description === undefined ? [] : [description]), ...(lines.length > 0 ? note : [])];
  return {
    ...rest,
    openapi: "3.1.0",
    info: { ...(info as Node), ...(texts.length > 0 && { description: texts.join("\n\n") }) },
  };
}
