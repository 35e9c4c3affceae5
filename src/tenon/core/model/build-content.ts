import { getMembers, isNode, type Located, pickTexts, toText } from "../document/node.js";
import { getOwn, joinPointer } from "../document/pointer.js";
import { isMediaType, type MediaKind, toEssence, toMediaKind } from "../http/media-type.js";
import type { ParameterStyle } from "../parameters/style.js";
import { findByteSize } from "../schema/byte-size.js";
import { buildForm } from "./build-form.js";
import { buildItems } from "./build-items.js";
import { buildHeaders } from "./build-parameters.js";
import { type BuildContext, getContent, type LocatedMediaType, resolve, resolveMember } from "./context.js";
import {
  type Encoding,
  type Example,
  type ExternalExample,
  type Link,
  type MediaType,
  type RequestBody,
  type Response,
  toRequestKind,
} from "./content.js";
import { toMethodNames, toOperationLabel } from "./names.js";

/** An operation, callback or webhook whose content is built. */
export interface LocatedOperation extends Located {
  readonly method: string;
  readonly path: string;
}

/**
 * @param receivesForms Whether the service receives the request, so that the fields of its forms are read.
 * @see https://spec.openapis.org/oas/v3.1.0#request-body-object
 */
export function buildRequestBody(
  operation: LocatedOperation,
  context: BuildContext,
  receivesForms: boolean,
): RequestBody | undefined {
  const body = resolveMember(operation, "requestBody", context);
  const label = `the request body of ${toOperationLabel(operation)}`;
  return body && toRequestBody(body, { label, receivesForms }, context);
}

/** Builds a request body whose references have been followed. */
export function toRequestBody(body: Located, owner: ContentOwner, context: BuildContext): RequestBody {
  return {
    pointer: body.pointer,
    required: body.node["required"] === true,
    ...pickTexts(body.node, "description"),
    mediaTypes: buildMediaTypes(body, owner, context),
  };
}

/** @see https://spec.openapis.org/oas/v3.1.0#responses-object */
export function buildResponses(operation: LocatedOperation, context: BuildContext): readonly Response[] {
  return getMembers(operation, "responses").flatMap(({ name: status, ...reference }) => {
    if (!/^(?:[1-5](?:\d\d|XX)|default)$/.test(status)) return [];
    const label = `response ${status} of ${toOperationLabel(operation)}`;
    return toResponses(reference, label, context).map((response) => ({ ...response, status }));
  });
}

/** @returns one response, or none if the reference cannot be resolved. */
export function toResponses(
  reference: Located,
  label: string,
  context: BuildContext,
): readonly Omit<Response, "status">[] {
  const response = resolve(reference, context);
  if (response === undefined) return [];
  return [
    {
      pointer: response.pointer,
      declaredAt: reference.pointer,
      ...pickTexts(response.node, "summary", "description"),
      headers: buildHeaders(response, context),
      mediaTypes: buildMediaTypes(response, { label, receivesForms: false }, context),
      links: buildLinks(response, context),
    },
  ];
}

/** The owner of `content`: a request body or a response. */
interface ContentOwner {
  /** Completes `Cannot serve …`: `the request body of POST /pets`. */
  readonly label: string;
  readonly receivesForms: boolean;
}

/** @see https://spec.openapis.org/oas/v3.1.0#media-type-object */
function buildMediaTypes(
  owner: Located,
  { label, receivesForms }: ContentOwner,
  context: BuildContext,
): readonly MediaType[] {
  const declared = getContent(owner, context);
  const methodNames = toMethodNames(declared.map(({ name }) => name));
  return declared.map((mediaType, index) => {
    const { name, pointer } = mediaType;
    reportMediaType(mediaType, `Cannot serve ${label}`, context);
    const schema = context.registry.read(mediaType, "schema");
    const kind = toMediaKind(name);
    const items = buildItems(mediaType, { label, isReceived: receivesForms, whole: schema }, context);
    const isForm = receivesForms && items === undefined && (kind === "form" || kind === "multipart");
    if (toEssence(name).startsWith("multipart/")) reportEncoding(mediaType, label, context);
    const encoding = buildEncoding(mediaType, context);
    const form = isForm ? buildForm({ pointer, label, kind, schema, encoding }, context) : undefined;
    const isBinary =
      receivesForms && toRequestKind({ name, ...(items && { items }), ...(form && { form }) }) === "binary";
    const size = isBinary && schema ? findByteSize(schema, context.registry) : undefined;
    return {
      pointer,
      name,
      methodName: methodNames[index] ?? "",
      ...(schema && { schema }),
      ...(items && { items }),
      examples: buildExamples(mediaType, context, kind),
      externalExamples: buildExternalExamples(mediaType, context),
      encoding,
      ...(form && { form }),
      ...(size && { size }),
    };
  });
}

/**
 * Reports parts in the parts of a multipart body whose parts have names.
 * @see https://spec.openapis.org/oas/v3.2.0#nested-encoding
 */
function reportEncoding(mediaType: Located, label: string, { report }: BuildContext): void {
  for (const { name, node, pointer } of getMembers(mediaType, "encoding"))
    for (const key of NESTED.filter((one) => getOwn(node, one) !== undefined)) {
      const message = `The parts in the part "${name}" of ${label} are not read`;
      report("encoding-unsupported", joinPointer(pointer, key), message, NESTED_HINT);
    }
}

/** RFC 7578, section 4.3, deprecates parts in the parts of a form. */
const NESTED_HINT =
  "Declare an array of files, which are parts of the same name, or a list of parts by position";
const NESTED = ["encoding", "prefixEncoding", "itemEncoding"] as const;

export function buildEncoding(mediaType: Located, context: BuildContext): readonly Encoding[] {
  return getMembers(mediaType, "encoding").map(({ name, ...located }) => {
    const { node, pointer } = located;
    const style = toText(node["style"]) as ParameterStyle | undefined;
    const { explode, allowReserved } = node;
    return {
      pointer,
      name,
      ...pickTexts(node, "contentType"),
      ...(style !== undefined && { style }),
      ...(typeof explode === "boolean" && { explode }),
      headers: buildHeaders(located, context),
      ...(typeof allowReserved === "boolean" && { allowReserved }),
    };
  });
}

/** Members of an example with its value. Text and bytes are sent as they are; other serialized values are not parsed. */
const EXAMPLE_KEYS = {
  ...{ json: ["value", "dataValue"], form: ["value", "dataValue"], multipart: ["value", "dataValue"] },
  ...{ text: ["value", "serializedValue", "dataValue"], binary: ["value", "serializedValue", "dataValue"] },
} as const;

/**
 * Builds `example` and the values of `examples`.
 * @param kind Kind of the media type. Default: the values are data, as those of parameters.
 * @see https://spec.openapis.org/oas/v3.2.0#working-with-examples
 */
export function buildExamples(
  owner: Located,
  context: BuildContext,
  kind: MediaKind = "json",
): readonly Example[] {
  const own = getOwn(owner.node, "example");
  const single =
    own === undefined
      ? []
      : [{ pointer: joinPointer(owner.pointer, "example"), name: "default", value: own }];
  const named = getMembers(owner, "examples").flatMap(({ name, ...reference }) => {
    const example = context.source.resolve(reference);
    const key = EXAMPLE_KEYS[kind].find((one) => example && Object.hasOwn(example.node, one));
    if (example !== undefined && key === undefined && Object.hasOwn(example.node, "serializedValue"))
      context.report(
        "example-ignored",
        joinPointer(example.pointer, "serializedValue"),
        `The example "${name}" is not used: its serialized value is not parsed`,
        "Add the value as `dataValue`",
      );
    if (example === undefined || key === undefined) return [];
    return {
      pointer: joinPointer(example.pointer, key),
      name,
      value: example.node[key],
      ...pickTexts(example.node, "summary", "description"),
    };
  });
  return [...single, ...named];
}

/** A value in a file of the contract's folders is one of {@link buildExamples} since the contract was bundled. */
function buildExternalExamples(owner: Located, { source }: BuildContext): readonly ExternalExample[] {
  return getMembers(owner, "examples").flatMap(({ name, ...reference }) => {
    const { node, pointer } = source.resolve(reference) ?? reference;
    const url = toText(node["externalValue"]);
    return url === undefined ? [] : { pointer, name, url, ...pickTexts(node, "summary", "description") };
  });
}

function buildLinks(response: Located, context: BuildContext): readonly Link[] {
  return getMembers(response, "links").flatMap(({ name, ...reference }) => {
    const link = context.source.resolve(reference);
    const operationId = link && toText(link.node["operationId"]);
    if (link === undefined || operationId === undefined) return [];
    const declared = getOwn(link.node, "parameters");
    const parameters = Object.entries(isNode(declared) ? declared : {}).flatMap(([key, expression]) =>
      typeof expression === "string"
        ? [[key.replace(/^(?:path|query|header|cookie)\./, ""), expression] as const]
        : [],
    );
    return { pointer: link.pointer, name, operationId, parameters: Object.fromEntries(parameters) };
  });
}

/**
 * Reports a key of `content` that cannot be parsed or serialized.
 * @param failure Start of the message: `Cannot serve response 200 of GET /pets`.
 * @returns true if the key is valid.
 */
export function reportMediaType(
  { name, declaredAt: pointer }: LocatedMediaType,
  failure: string,
  { report }: BuildContext,
): boolean {
  if (!isMediaType(name)) {
    const message = `${failure} as "${name}": it is not a media type`;
    report("media-type-unsupported", pointer, message, suggestMediaType(name));
    return false;
  }
  const charset = /;\s*charset="?([^";\s]*)/i.exec(name)?.[1] ?? "utf-8";
  if (toMediaKind(name) === "binary" || charset.toLowerCase() === "utf-8") return true;
  report("media-type-unsupported", pointer, `${failure} as "${name}": its charset is not UTF-8`);
  return false;
}
/** Suggests the keys to write instead of a list of media types, which other tools accept. `;` starts a parameter. */
function suggestMediaType(name: string): string {
  const [first = "", ...rest] = name.split(",").map((part) => part.trim());
  const parts = [first, ...rest];
  if (isMediaType(first) && rest.length > 0 && rest.every((part) => /^[\w-]+=\S+$/.test(part)))
    return `Write "${parts.join("; ")}"`;
  if (rest.length > 0 && parts.every(isMediaType))
    return `Write each as a separate key: ${parts.map((part) => `"${part}"`).join(" and ")}`;
  return 'Write a type and a subtype, such as "application/json"';
}
