import { collectWireParts, type WirePart } from "tenon/core/document";
import type { Contract, MediaType, Operation, Response, ResponseHeader } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import type { Finding } from "../change.js";
import { toCanonical } from "../schema/normal-form/values.js";
import type { Sides } from "../sides.js";

/** Kinds of parts that are not compared; every diff lists them. */
export const NOT_COMPARED: readonly string[] = [
  "examples, external documentation, XML names, links by `operationRef`, and request bodies and servers of links",
  "extensions other than x-sunset, x-deprecated-since, x-replaced-by, x-stability-level, x-extensible-enum and x-mcp",
  "components that no operation refers to",
  "servers, security and callbacks of callbacks and webhooks",
  "lifecycles of the alternatives of oneOf and anyOf",
];

/** A part of a contract that differs and is not compared. */
export type UncomparedPart = Pick<Finding, "at" | "message">;

const MESSAGES: Readonly<Record<WirePart["kind"], string>> = {
  schema: "The schema is not compared: no operation uses it, or OpenAPI ignores it",
  xml: "The XML name is not compared",
  link: "The link is not compared: it has an `operationRef`",
  servers: "The servers of a callback or webhook are not compared",
  security: "The security of a callback or webhook is not compared",
};

/** Finds the parts that decide what is sent, are not compared, and have no equal part in the other contract. */
export function findUncompared({ base, revision }: Sides<Contract>): readonly UncomparedPart[] {
  const sides = { base: readParts(base), revision: readParts(revision) };
  const differing = (own: readonly KeyedPart[], others: readonly KeyedPart[]) => {
    const equal = new Set(others.filter(({ isCompared }) => !isCompared).map(({ key }) => key));
    // One that only the other contract uses does not differ.
    const atPlace = new Map(others.map(({ pointer, key }) => [pointer, key]));
    return own.filter(
      ({ key, pointer, isCompared }) => !isCompared && !equal.has(key) && atPlace.get(pointer) !== key,
    );
  };
  const come = differing(sides.revision, sides.base);
  const changed = new Set(come.map(({ pointer }) => pointer));
  const gone = differing(sides.base, sides.revision).filter(({ pointer }) => !changed.has(pointer));
  const toPart = (side: keyof Sides<unknown>) => (part: KeyedPart) => {
    return { message: MESSAGES[part.kind], at: { side, pointer: part.pointer } };
  };
  return [...come.map(toPart("revision")), ...gone.map(toPart("base"))];
}

type KeyedPart = WirePart & { readonly key: string; readonly isCompared: boolean };

function readParts(contract: Contract): readonly KeyedPart[] {
  const compared = findCompared(contract);
  return collectWireParts(contract.registry.document).map((part) => ({
    ...part,
    key: `${part.kind} ${toCanonical(part.value)}`,
    isCompared: part.kind === "schema" && compared.has(part.pointer),
  }));
}

/** Finds the pointers of the schemas that requests and responses consist of. */
function findCompared(contract: Contract): ReadonlySet<string> {
  const { registry, operations, webhooks } = contract;
  const pointers = new Set<string>();
  let roots: readonly Schema[] = [...operations, ...webhooks].flatMap(listSchemas);
  while (roots.length > 0) {
    const contents: Schema[] = [];
    for (const { pointer, contentSchema } of registry.walk(roots)) {
      if (contentSchema && !pointers.has(contentSchema.pointer)) contents.push(contentSchema);
      pointers.add(pointer);
    }
    roots = contents;
  }
  return pointers;
}

function listSchemas(
  operation: Pick<Operation, "parameters" | "responses"> &
    Partial<Pick<Operation, "path" | "requestBody" | "callbacks">>,
): readonly Schema[] {
  const { parameters, path, requestBody, responses, callbacks = [] } = operation;
  // Callbacks and webhooks have no path template.
  const sent = parameters.filter((parameter) => path !== undefined || parameter.in !== "path");
  return [
    ...sent.map(({ declared }) => declared.schema),
    ...(requestBody ? listContent(requestBody.mediaTypes) : []),
    ...responses.flatMap(({ headers, mediaTypes }: Response) => [
      ...listHeaders(headers),
      ...listContent(mediaTypes),
    ]),
    ...callbacks.flatMap(listSchemas),
  ];
}

function listContent(mediaTypes: readonly MediaType[]): readonly Schema[] {
  return mediaTypes.flatMap(({ schema, items, encoding }) => [
    ...(schema ? [schema] : []),
    ...(items ? [items.schema] : []),
    ...encoding.flatMap(({ headers }) => listHeaders(headers)),
  ]);
}

function listHeaders(headers: readonly ResponseHeader[]): readonly Schema[] {
  return headers.map(({ schema }) => schema);
}
