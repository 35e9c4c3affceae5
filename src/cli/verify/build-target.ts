import {
  type DocumentContext,
  isNode,
  items,
  type Located,
  members,
  type Node,
  resolve,
  resolveMember,
  toText,
} from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import type { Contract, Form, Operation, Parameter, RequestBody } from "tenon/core/legacy/model";
import { toMediaKind } from "tenon/core/http/media-type";
import { buildResponses } from "./build-responses.js";
import { buildContent, readExamples } from "./build-content.js";
import { buildShapes } from "./build-shapes.js";
import { createSchemaBook, type SchemaBook } from "../values/book.js";
import { toUnicodePattern } from "./schema/pattern.js";
import type {
  Deprecation,
  FormFile,
  SecurityScheme,
  Target,
  TargetBody,
  TargetOperation,
  TargetParameter,
} from "./target.js";

/** What one operation is built from. */
export interface TargetContext extends DocumentContext {
  readonly requests: SchemaBook;
  readonly responses: SchemaBook;
}

/**
 * Builds what there is to verify.
 * @param document Bundled.
 * @param contract Model of the same document, without problems.
 */
export function buildTarget(document: Node, contract: Contract): Target {
  const requests = createSchemaBook(document, "request", toUnicodePattern);
  const responses = createSchemaBook(document, "response", toUnicodePattern);
  // Whatever is wrong has been reported when the model was built.
  const context: TargetContext = {
    document: requests.document,
    report: () => undefined,
    requests,
    responses,
  };
  return {
    title: contract.title,
    version: contract.version,
    basePath: contract.basePath,
    operations: contract.operations.flatMap((operation) => {
      const built = buildOperation(operation, context);
      const deprecation = buildDeprecation(operation, contract.operations);
      return built === undefined ? [] : [{ ...built, ...(deprecation && { deprecation }) }];
    }),
    schemes: buildSchemes(context),
    requests,
    responses,
  };
}

function buildOperation(operation: Operation, context: TargetContext): TargetOperation | undefined {
  const { id, method, path, security, stub } = operation;
  const paths = getOwn(context.document, "paths");
  const pathNode = isNode(paths) ? getOwn(paths, path) : undefined;
  const pathItem = isNode(pathNode)
    ? resolve({ node: pathNode, pointer: joinPointer("#/paths", path) }, context)
    : undefined;
  const node = pathItem && getOwn(pathItem.node, method);
  if (pathItem === undefined || !isNode(node)) return undefined;
  const located = { node, pointer: joinPointer(pathItem.pointer, method) };
  const declared = findParameters([pathItem, located], context);
  const parameters = operation.parameters.flatMap(
    (parameter) => buildParameter(parameter, declared.get(toKey(parameter)), context) ?? [],
  );
  const body = buildBody(located, operation.requestBody, context);
  return {
    id,
    method,
    path,
    parameters,
    ...(body && { body }),
    responses: buildResponses(located, context),
    security,
    stub,
    shapes: buildShapes({ parameters, body }, context.requests),
  };
}

function buildDeprecation(
  { lifecycle }: Operation,
  operations: readonly Operation[],
): Deprecation | undefined {
  if (lifecycle?.deprecated !== true) return undefined;
  const { since, sunset, replacedBy } = lifecycle;
  const successor = operations.find(({ id }) => id === replacedBy)?.path;
  return {
    ...(since !== undefined && { since }),
    ...(sunset !== undefined && { sunset }),
    ...(successor !== undefined && !successor.includes("{") && { successor }),
  };
}

function findParameters(owners: readonly Located[], context: TargetContext): ReadonlyMap<string, Located> {
  const found = owners
    .flatMap((owner) => items(owner, "parameters"))
    .flatMap((reference) => resolve(reference, context) ?? []);
  return new Map(found.map((located) => [toKey(located.node as Pick<Parameter, "in" | "name">), located]));
}

function toKey({ in: place, name }: Pick<Parameter, "in" | "name">): string {
  return `${place} ${place === "header" ? name.toLowerCase() : name}`;
}

function buildParameter(
  { name, in: place, required, style, explode, opaque }: Parameter,
  located: Located | undefined,
  { requests, ...context }: TargetContext,
): TargetParameter | undefined {
  if (located === undefined) return undefined;
  const [content] = members(located, "content");
  const json = content !== undefined && toMediaKind(content.name) === "json";
  const schema = requests.add((content ?? located).node["schema"]);
  return {
    name,
    in: place,
    required,
    style: json ? "json" : style,
    explode,
    schema:
      content === undefined || json
        ? schema
        : requests.put({ allOf: [{ type: ["string"] }, opaque ? true : { $ref: `#/$defs/${schema}` }] }),
    examples: [
      ...readExamples(located, context),
      ...(content === undefined ? [] : readExamples(content, context)),
    ],
  };
}

function buildBody(
  operation: Located,
  model: RequestBody | undefined,
  context: TargetContext,
): TargetBody | undefined {
  const located = resolveMember(operation, "requestBody", context);
  if (located === undefined) return undefined;
  return {
    required: located.node["required"] === true,
    content: buildContent(located, context.requests, context).map((content) => {
      const form = model?.mediaTypes.find(({ name }) => name === content.mediaType)?.form;
      return typeof form === "object" ? { ...content, files: findFiles(form) } : content;
    }),
  };
}

function findFiles({ fields }: Form): Readonly<Record<string, FormFile>> {
  return Object.fromEntries(
    fields.flatMap(({ property: { name }, type, mediaTypes: [range = "application/octet-stream"] }) => {
      const mediaType = range.replace(/^image\/\*$/, "image/png").replace(/\*$/, "plain");
      return type === "file" || type === "files"
        ? [[name, { several: type === "files", mediaType }] as const]
        : [];
    }),
  );
}

function buildSchemes(context: TargetContext): ReadonlyMap<string, SecurityScheme> {
  const components = getOwn(context.document, "components");
  if (!isNode(components)) return new Map();
  const declared = members({ node: components, pointer: "#/components" }, "securitySchemes");
  return new Map(
    declared.map(({ name, ...reference }) => [name, toScheme(resolve(reference, context)?.node ?? {})]),
  );
}

function toScheme(node: Node): SecurityScheme {
  const name = toText(node["name"]);
  const place = node["in"];
  switch (node["type"]) {
    case "http": {
      const scheme = toText(node["scheme"])?.toLowerCase();
      return scheme === "bearer" || scheme === "basic" ? { kind: scheme } : { kind: "other" };
    }
    case "oauth2":
    case "openIdConnect":
      return { kind: "bearer" };
    case "apiKey":
      return name !== undefined && (place === "header" || place === "query" || place === "cookie")
        ? { kind: "key", in: place, name }
        : { kind: "other" };
    default:
      return { kind: "other" };
  }
}
