import {
  getByPointer,
  isNode,
  joinPointer,
  type Node,
  Source,
  toNode,
  toText,
} from "../../../../src/tenon/core/document/index.js";
import { HTTP_METHODS, toEssence, toMediaKind } from "../../../../src/tenon/core/http/index.js";

/** How a schema is used by a message. */
export interface Use {
  readonly direction: "request" | "response";
  /**
   * `certain`: every message that has this part has to satisfy the schema. `partial`: with others, so that a narrowing may change
   * nothing, but never does the opposite. `unknown`: anything can follow from a change.
   */
  readonly kind: "certain" | "partial" | "unknown";
  /** `text`: the value is sent as text. `form`: its members are. */
  readonly wire: "json" | "form" | "text";
}

/** A schema that an operation uses. */
export interface SchemaPlace {
  readonly pointer: string;
  readonly schema: Node;
  readonly uses: readonly Use[];
}

interface Part {
  readonly pointer: string;
  readonly node: Node;
}

/** A parameter of an operation, with the list that contains it or a reference to it. */
export interface ParameterPlace extends Part {
  readonly list: string;
  readonly index: number;
}

/** An operation; `sender` is the service for callbacks and webhooks. */
export interface OperationPlace extends Part {
  readonly kind: "operation" | "callback" | "webhook";
  readonly method: string;
  readonly parameters: readonly ParameterPlace[];
  readonly requestBody: Part | undefined;
  readonly responses: readonly (Part & { readonly status: string })[];
}

export interface Uses {
  readonly document: Node;
  /** `3.0`, `3.1` or `3.2`. */
  readonly dialect: string;
  readonly schemas: readonly SchemaPlace[];
  readonly operations: readonly OperationPlace[];
}

/** Keywords that say nothing about values. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...["title", "description", "default", "example", "examples", "deprecated", "externalDocs", "xml"],
  ...["readOnly", "writeOnly", "nullable", "$comment"],
]);

/** Keywords beside which the parts of a value are free. */
const PLAIN: ReadonlySet<string> = new Set([
  ...["type", "format", "properties", "required", "additionalProperties", "items"],
  ...["minItems", "maxItems", "uniqueItems", "minProperties"],
]);

const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
}

/** Tests whether a schema has no keywords but these and annotations. */
export function hasOnly(schema: Node, keywords: ReadonlySet<string> | readonly string[]): boolean {
  const known = new Set(keywords);
  return Object.keys(schema).every((keyword) => known.has(keyword) || isAnnotation(keyword));
}

/** Lists the types that a schema names, without null. */
export function listTypes({ type }: Node): readonly unknown[] {
  const types = Array.isArray(type) ? (type as readonly unknown[]) : type === undefined ? [] : [type];
  return types.filter((name) => name !== "null");
}

/** Finds the schemas and operations of a bundled document, and in which messages each schema is used. It shares no code with `tenon diff`. */
export function findUses(document: Node): Uses {
  const source = new Source(document);
  const dialect = String(document["openapi"]).slice(0, 3);
  const places = new Map<string, { schema: Node; uses: Map<string, Use> }>();
  const operations: OperationPlace[] = [];

  const resolve = (pointer: string): Part | undefined => {
    const node = getByPointer(document, pointer);
    return isNode(node) ? source.resolve({ node, pointer }) : undefined;
  };
  const members = (pointer: string, ...keys: string[]): readonly (Part & { readonly name: string })[] => {
    const owner = joinPointer(pointer, ...keys);
    return Object.keys(toNode(getByPointer(document, owner))).flatMap((name) => {
      const found = resolve(joinPointer(owner, name));
      return found === undefined || name.startsWith("x-") ? [] : [{ ...found, name }];
    });
  };

  const visit = (pointer: string, use: Use): void => {
    const schema = getByPointer(document, pointer);
    if (!isNode(schema)) return;
    const hidden = use.direction === "request" ? "readOnly" : "writeOnly";
    const here: Use = schema[hidden] === true ? { ...use, kind: "unknown" } : use;
    const place = places.get(pointer) ?? { schema, uses: new Map<string, Use>() };
    places.set(pointer, place);
    const key = JSON.stringify(here);
    if (place.uses.has(key)) return;
    place.uses.set(key, here);
    const reference = toText(schema["$ref"]);
    if (reference !== undefined) {
      const target = source.lookUp(reference);
      if (target === undefined) return;
      const isAlone = dialect === "3.0" || hasOnly(schema, ["$ref"]);
      visitTarget(target.pointer, isAlone ? here : weaken(here, "partial"));
      if (dialect === "3.0") return;
    }
    visitParts(pointer, schema, here);
  };

  /** A component with a discriminator stands for those that extend it. */
  const visitTarget = (pointer: string, use: Use): void => {
    const target = toNode(getByPointer(document, pointer));
    const isBase = "discriminator" in target && !("oneOf" in target) && !("anyOf" in target);
    visit(pointer, isBase ? weaken(use, "unknown") : use);
    if (!isBase) return;
    for (const { pointer: heir, node } of members("#", "components", "schemas")) {
      const parts = Array.isArray(node["allOf"]) ? (node["allOf"] as readonly unknown[]) : [];
      if (parts.some((part) => source.lookUp(toText(toNode(part)["$ref"]) ?? "")?.pointer === pointer))
        visitTarget(heir, weaken(use, "unknown"));
    }
  };

  const visitParts = (pointer: string, schema: Node, use: Use): void => {
    const isPlain = hasOnly(schema, PLAIN) && schema["maxItems"] !== 0;
    const types = listTypes(schema);
    const isOf = (type: string) => types.length === 0 || types.includes(type);
    const wire = use.wire === "form" ? "text" : use.wire;
    const inside: Use =
      isPlain && (wire !== "text" || isOf("array")) ? { ...use, wire } : weaken({ ...use, wire }, "partial");
    const each = (keyword: string, given: Use) => {
      for (const name of Object.keys(toNode(schema[keyword])))
        visit(joinPointer(pointer, keyword, name), given);
    };
    each("properties", isOf("object") ? inside : weaken(use, "unknown"));
    visit(joinPointer(pointer, "additionalProperties"), isOf("object") ? inside : weaken(use, "unknown"));
    visit(joinPointer(pointer, "items"), isOf("array") ? inside : weaken(use, "unknown"));
    each("patternProperties", weaken(use, "partial"));
    for (const keyword of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
      const choices = Array.isArray(schema[keyword]) ? schema[keyword] : [];
      const isOnly = choices.length === 1 && hasOnly(schema, [keyword]);
      const kind = keyword === "oneOf" || "discriminator" in schema ? "unknown" : "partial";
      choices.forEach((_, index) => {
        visit(joinPointer(pointer, keyword, index), isOnly ? use : weaken(use, kind));
      });
    }
    for (const keyword of ["not", "if", "then", "else", "contains", "propertyNames"])
      visit(joinPointer(pointer, keyword), weaken(use, "unknown"));
    for (const keyword of ["unevaluatedProperties", "unevaluatedItems"])
      visit(joinPointer(pointer, keyword), weaken(use, "unknown"));
    each("dependentSchemas", weaken(use, "unknown"));
  };

  const visitContent = (owner: string, use: Use): void => {
    for (const mediaType of Object.keys(toNode(getByPointer(document, joinPointer(owner, "content"))))) {
      const pointer = joinPointer(owner, "content", mediaType);
      const target = resolve(joinPointer(pointer, "schema"));
      visit(joinPointer(pointer, "schema"), readMedia(mediaType, target?.node, use));
      for (const { pointer: field } of members(pointer, "encoding"))
        visitHeaders(field, weaken(use, "unknown"));
    }
  };

  const visitHeaders = (owner: string, use: Use): void => {
    for (const { name, pointer } of members(owner, "headers")) {
      if (name.toLowerCase() !== "content-type")
        visit(joinPointer(pointer, "schema"), { ...use, wire: "text" });
    }
  };

  const visitOperation = (pathItem: string, method: string, kind: OperationPlace["kind"]): void => {
    const pointer = joinPointer(pathItem, method);
    const node = getByPointer(document, pointer);
    if (!isNode(node)) return;
    const [sent, received] =
      kind === "operation" ? (["request", "response"] as const) : (["response", "request"] as const);
    const lists = [joinPointer(pointer, "parameters"), joinPointer(pathItem, "parameters")];
    const parameters = new Map<string, ParameterPlace>();
    for (const list of lists) {
      const entries = getByPointer(document, list);
      (Array.isArray(entries) ? entries : []).forEach((_, index) => {
        const found = resolve(joinPointer(list, index));
        if (found === undefined) return;
        const key = `${String(found.node["in"])}/${String(found.node["name"])}`;
        if (!parameters.has(key)) parameters.set(key, { ...found, list, index });
      });
    }
    for (const { pointer: own, node: parameter } of parameters.values()) {
      const { in: location, name } = parameter;
      if (location === "header" && IGNORED_HEADERS.has(String(name).toLowerCase())) continue;
      if (location === "path" && kind !== "operation") continue;
      visit(joinPointer(own, "schema"), { direction: sent, kind: "certain", wire: "text" });
      visitContent(own, { direction: sent, kind: "unknown", wire: "json" });
    }
    const requestBody = resolve(joinPointer(pointer, "requestBody"));
    const isBodyUsual = ["post", "put", "patch", "query"].includes(method);
    if (requestBody !== undefined)
      visitContent(requestBody.pointer, {
        direction: sent,
        kind: isBodyUsual ? "certain" : "unknown",
        wire: "json",
      });
    const responses = members(pointer, "responses").map(({ name, ...found }) => ({ ...found, status: name }));
    for (const { pointer: own, status } of responses) {
      visitHeaders(own, { direction: received, kind: "certain", wire: "text" });
      const isEmpty = method === "head" || /^(?:1..|204|205|304)$/.test(status);
      visitContent(own, { direction: received, kind: isEmpty ? "unknown" : "certain", wire: "json" });
    }
    operations.push({
      ...{ pointer, node, kind, method, requestBody, responses },
      parameters: [...parameters.values()],
    });
    for (const { pointer: callback } of kind === "operation" ? members(pointer, "callbacks") : [])
      for (const { pointer: item } of members(callback)) visitPathItem(item, "callback");
  };

  const visitPathItem = (pathItem: string, kind: OperationPlace["kind"]): void => {
    for (const method of HTTP_METHODS) visitOperation(pathItem, method, kind);
  };
  for (const { pointer, name } of members("#", "paths"))
    if (name.startsWith("/")) visitPathItem(pointer, "operation");
  for (const { pointer } of members("#", "webhooks")) visitPathItem(pointer, "webhook");

  const schemas = [...places].map(([pointer, { schema, uses }]) => ({
    pointer,
    schema,
    uses: [...uses.values()],
  }));
  return { document, dialect, schemas, operations };
}

function weaken(use: Use, kind: "partial" | "unknown"): Use {
  return { ...use, kind: use.kind === "unknown" ? "unknown" : kind };
}

/** Media types whose values are JSON, or may be, and those whose members are texts. Streams and bytes have rules of their own. */
function readMedia(mediaType: string, schema: Node | undefined, use: Use): Use {
  const essence = toEssence(mediaType);
  if (/^\*\/\*$|^application\/\*$|[/+]json$/.test(essence)) return use;
  if (/ndjson|jsonl|json-seq|event-stream|multipart/.test(essence))
    return weaken({ ...use, wire: "form" }, "unknown");
  const isObject =
    schema !== undefined && (listTypes(schema).includes("object") || isNode(schema["properties"]));
  if (toMediaKind(mediaType) === "binary" && isObject && hasOnly(schema, PLAIN)) return use;
  if (essence === "application/x-www-form-urlencoded") return { ...use, wire: "form" };
  return weaken({ ...use, wire: "form" }, "unknown");
}
