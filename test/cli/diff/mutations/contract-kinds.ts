import { isNode, joinPointer, type Node, toNode } from "../../../../src/tenon/core/document/index.js";
import type { Edit } from "../edit.js";
import type { Truth } from "./schema-kinds.js";
import { listTypes, type OperationPlace, type ParameterPlace, type Uses } from "./uses.js";

/** A mutation outside of schemas at one place, with its truth. */
export interface ContractKind {
  readonly truth: Truth;
  /** Lists the places where the mutation can be made and its truth is certain. */
  readonly find: (uses: Uses) => Iterable<Edit>;
}

type OnOperation = (operation: OperationPlace, uses: Uses) => Edit | undefined;
type OnParameter = (parameter: ParameterPlace, operation: OperationPlace, uses: Uses) => Edit | undefined;

const onOperations = (truth: Truth, kind: OperationPlace["kind"], find: OnOperation): ContractKind => ({
  truth,
  *find(uses) {
    for (const operation of uses.operations) {
      const edit = operation.kind === kind ? find(operation, uses) : undefined;
      if (edit !== undefined) yield edit;
    }
  },
});

const incoming = (truth: Truth, find: OnOperation) => onOperations(truth, "operation", find);

/** Mutates parameters of operations that are not shared with callbacks and webhooks, where they mean the opposite. */
const onParameters = (truth: Truth, find: OnParameter): ContractKind => ({
  truth,
  *find(uses) {
    const areShared = uses.operations.some(({ kind }) => kind !== "operation");
    for (const operation of uses.operations) {
      for (const parameter of operation.kind === "operation" ? operation.parameters : []) {
        const isShared = areShared && parameter.pointer.startsWith("#/components/");
        const edit = isShared || isIgnored(parameter) ? undefined : find(parameter, operation, uses);
        if (edit !== undefined) yield edit;
      }
    }
  },
});

function isIgnored({ node: { in: location, name } }: Pick<ParameterPlace, "node">): boolean {
  return location === "header" && /^(?:accept|content-type|authorization)$/i.test(String(name));
}

type OnResponse = (
  response: OperationPlace["responses"][number],
  operation: OperationPlace,
  uses: Uses,
) => Edit | undefined;

/** Mutates responses that an operation has for itself. */
const onResponses = (truth: Truth, find: OnResponse): ContractKind => ({
  truth,
  *find(uses) {
    for (const operation of uses.operations) {
      if (operation.kind !== "operation" || operation.method === "head") continue;
      for (const response of operation.responses) {
        const isOwn = response.pointer.startsWith(`${operation.pointer}/`);
        const edit = isOwn ? find(response, operation, uses) : undefined;
        if (edit !== undefined) yield edit;
      }
    }
  },
});

const onDocument = (truth: Truth, find: (document: Node, uses: Uses) => Edit | undefined): ContractKind => ({
  truth,
  find: (uses) => {
    const edit = find(uses.document, uses);
    return edit === undefined ? [] : [edit];
  },
});

const set = (value: unknown, pointer: string, ...keys: readonly (string | number)[]): Edit => ({
  set: { [joinPointer(pointer, ...keys)]: value },
});
const remove = (pointer: string, ...keys: readonly string[]): Edit => ({
  remove: [joinPointer(pointer, ...keys)],
});

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const isOneOf = (method: string) => ["post", "put", "patch"].includes(method);
const isSuccess = (status: string) => /^2\d\d$/.test(status);

/** Tests whether each status means itself only. */
function areStatusesPlain({ responses }: OperationPlace): boolean {
  return responses.every(({ status }) => /^\d{3}$/.test(status));
}

/** The media types of a body or response; undefined if one covers others, or has parameters. */
function listPlainMedia({ content }: Node): readonly string[] | undefined {
  const names = Object.keys(toNode(content));
  return names.some((name) => /[*;]/.test(name)) ? undefined : names;
}

const addParameter =
  (location: string, required: boolean): OnOperation =>
  ({ pointer, node }) =>
    set(
      [
        ...list(node["parameters"]),
        { name: "tenonAdded", in: location, required, schema: { type: "string" } },
      ],
      pointer,
      "parameters",
    );

const removeParameter = ({ list: pointer, index }: ParameterPlace, { document }: Uses): Edit => {
  const entries = pointerValue(document, pointer);
  return set(
    entries.filter((_, at) => at !== index),
    pointer,
  );
};

function pointerValue(document: Node, pointer: string): readonly unknown[] {
  const keys = pointer.split("/").slice(1);
  const unescape = (key: string) => key.replaceAll("%25", "%").replaceAll("~1", "/").replaceAll("~0", "~");
  return list(keys.reduce<unknown>((value, key) => (value as Node)[unescape(key)], document));
}

/** Finds a parameter whose removal does not uncover one of the path item. */
const isLast = (
  { list: pointer, node }: ParameterPlace,
  operation: OperationPlace,
  { document }: Uses,
): boolean => {
  const shared = pointerValue(
    document,
    joinPointer(operation.pointer.slice(0, operation.pointer.lastIndexOf("/")), "parameters"),
  );
  return (
    pointer.startsWith(operation.pointer) &&
    shared.every((one) => toNode(one)["name"] !== node["name"] && !("$ref" in toNode(one)))
  );
};

const requirements = ({ node }: OperationPlace, { document }: Uses): readonly Node[] =>
  list(node["security"] ?? document["security"]).filter(isNode);
const schemes = ({ document }: Uses): Readonly<Record<string, Node>> =>
  toNode(toNode(document["components"])["securitySchemes"]) as Readonly<Record<string, Node>>;
const isPublic = (all: readonly Node[]) =>
  all.length === 0 || all.some((one) => Object.keys(one).length === 0);

/** Finds a scope of an OAuth scheme that is required, or is not. */
function findScope(
  own: Node,
  uses: Uses,
  isRequired: boolean,
): readonly [scheme: string, scopes: readonly string[]] | undefined {
  for (const [name, wanted] of Object.entries(own)) {
    const scopes = list(wanted) as readonly string[];
    const flows = Object.values(toNode(schemes(uses)[name]?.["flows"]));
    const declared = flows.flatMap((flow) => Object.keys(toNode(toNode(flow)["scopes"])));
    const other = declared.find((scope) => !scopes.includes(scope));
    if (isRequired && scopes.length > 0 && new Set(scopes).size === scopes.length)
      return [name, scopes.slice(1)];
    if (!isRequired && other !== undefined) return [name, [...scopes, other]];
  }
  return undefined;
}

const changeScopes =
  (isRequired: boolean): OnOperation =>
  (operation, uses) => {
    const [own, ...others] = requirements(operation, uses);
    const found = own && others.length === 0 ? findScope(own, uses, isRequired) : undefined;
    return found && set([{ ...own, [found[0]]: found[1] }], operation.pointer, "security");
  };

const isReferred = (id: unknown, document: Node) =>
  JSON.stringify(document).split(JSON.stringify(id)).length > 2;

const added = { type: "object", properties: { name: { type: "string" } } };
const addedBody = { content: { "application/json": { schema: added } } };

export const CONTRACT_KINDS: Readonly<Record<string, ContractKind>> = {
  // Operations
  "an operation removed": incoming("breaking", ({ pointer }) => remove(pointer)),
  "an operation added": onDocument("safe", () =>
    set({ get: { responses: { "200": { description: "Added." } } } }, "#", "paths", "/tenon-added"),
  ),
  "another operationId": incoming("risky", ({ pointer, node: { operationId: id } }, { document }) =>
    typeof id === "string" && !isReferred(id, document)
      ? set(`${id}Renamed`, pointer, "operationId")
      : undefined,
  ),
  "a tag added": incoming("safe", ({ pointer, node }) =>
    set([...list(node["tags"]), "tenon-added"], pointer, "tags"),
  ),
  "an operation deprecated": incoming("safe", ({ pointer, node }) =>
    node["deprecated"] === true ? undefined : set(true, pointer, "deprecated"),
  ),
  "a summary changed": incoming("none", ({ pointer }) => set("Changed.", pointer, "summary")),

  // Parameters
  "an optional query parameter added": incoming("safe", addParameter("query", false)),
  "a required query parameter added": incoming("breaking", addParameter("query", true)),
  "an optional header added": incoming("safe", addParameter("header", false)),
  "a required header added": incoming("breaking", addParameter("header", true)),
  "a query parameter removed": onParameters("breaking", (parameter, operation, uses) =>
    parameter.node["in"] === "query" && isLast(parameter, operation, uses)
      ? removeParameter(parameter, uses)
      : undefined,
  ),
  "a header removed": onParameters("risky", (parameter, operation, uses) =>
    parameter.node["in"] === "header" && isLast(parameter, operation, uses)
      ? removeParameter(parameter, uses)
      : undefined,
  ),
  "a parameter became required": onParameters("breaking", ({ pointer, node }) =>
    node["required"] === true || "default" in toNode(node["schema"]) || "$ref" in toNode(node["schema"])
      ? undefined
      : set(true, pointer, "required"),
  ),
  "a parameter became optional": onParameters("safe", ({ pointer, node }) =>
    node["required"] === true && node["in"] !== "path" ? set(false, pointer, "required") : undefined,
  ),
  "a query parameter moved to a header": onParameters("breaking", ({ pointer, node }) =>
    node["in"] === "query" &&
    !("style" in node) &&
    /^[A-Za-z-]+$/.test(String(node["name"])) &&
    !/^(?:accept|content-type|authorization)$/i.test(String(node["name"])) &&
    ["string", "integer"].includes(String(toNode(node["schema"])["type"])) &&
    !("allowEmptyValue" in node) &&
    !("allowReserved" in node) &&
    !("explode" in node)
      ? set("header", pointer, "in")
      : undefined,
  ),
  "a parameter deprecated": onParameters("safe", ({ pointer, node }) =>
    node["deprecated"] === true ? undefined : set(true, pointer, "deprecated"),
  ),
  "a default of a parameter changed": onParameters("risky", ({ pointer, node }) => {
    const schema = toNode(node["schema"]);
    const isPlain =
      node["required"] !== true && typeof schema["default"] === "boolean" && schema["type"] === "boolean";
    return isPlain ? set(schema["default"] !== true, pointer, "schema", "default") : undefined;
  }),
  "a default of a required parameter changed": onParameters("safe", ({ pointer, node }) => {
    const schema = toNode(node["schema"]);
    const isPlain =
      node["required"] === true &&
      schema["type"] === "string" &&
      typeof schema["default"] === "string" &&
      Object.keys(schema).every((key) => ["type", "default", "description"].includes(key));
    return isPlain ? set(`${String(schema["default"])}2`, pointer, "schema", "default") : undefined;
  }),
  "a list no longer exploded": onParameters("breaking", ({ pointer, node }) =>
    node["in"] === "query" &&
    !("style" in node) &&
    !("explode" in node) &&
    toNode(node["schema"])["type"] === "array"
      ? set(false, pointer, "explode")
      : undefined,
  ),
  "a plain value no longer exploded": onParameters("none", ({ pointer, node }) => {
    const [type, ...others] = listTypes(toNode(node["schema"]));
    const isPlain = others.length === 0 && ["string", "integer", "number", "boolean"].includes(String(type));
    return isPlain && node["in"] === "query" && !("style" in node)
      ? set(false, pointer, "explode")
      : undefined;
  }),
  "an empty value allowed": onParameters("safe", ({ pointer, node }) =>
    node["in"] === "query" && !("allowEmptyValue" in node) && !("content" in node)
      ? set(true, pointer, "allowEmptyValue")
      : undefined,
  ),
  "reserved characters allowed": onParameters("safe", ({ pointer, node }) =>
    node["in"] === "query" && !("allowReserved" in node) && !("content" in node)
      ? set(true, pointer, "allowReserved")
      : undefined,
  ),
  "an example of a parameter changed": onParameters("none", ({ pointer, node }) =>
    "examples" in node ? undefined : set("changed", pointer, "example"),
  ),

  // Request bodies
  "a body became required": incoming("breaking", ({ method, requestBody }) =>
    requestBody && isOneOf(method) && requestBody.node["required"] !== true
      ? set(true, requestBody.pointer, "required")
      : undefined,
  ),
  "a body became optional": incoming("safe", ({ pointer, requestBody, method }) =>
    requestBody?.node["required"] === true && isOneOf(method) && requestBody.pointer.startsWith(pointer)
      ? set(false, requestBody.pointer, "required")
      : undefined,
  ),
  "a body removed": incoming("breaking", ({ pointer, method, requestBody }) =>
    requestBody && isOneOf(method) ? remove(pointer, "requestBody") : undefined,
  ),
  "an optional body added": incoming("safe", ({ pointer, method, requestBody }) =>
    requestBody === undefined && isOneOf(method) ? set(addedBody, pointer, "requestBody") : undefined,
  ),
  "a required body added": incoming("breaking", ({ pointer, method, requestBody }) =>
    requestBody === undefined && isOneOf(method)
      ? set({ required: true, ...addedBody }, pointer, "requestBody")
      : undefined,
  ),
  "a media type of a request added": incoming("safe", ({ pointer, method, requestBody }) =>
    requestBody &&
    isOneOf(method) &&
    requestBody.pointer.startsWith(pointer) &&
    listPlainMedia(requestBody.node)
      ? set({ schema: added }, requestBody.pointer, "content", "application/vnd.tenon+json")
      : undefined,
  ),
  "a media type of a request removed": incoming("breaking", ({ method, requestBody }) => {
    const [name, ...others] = (requestBody && listPlainMedia(requestBody.node)) ?? [];
    return requestBody && isOneOf(method) && name !== undefined && others.length > 0
      ? remove(requestBody.pointer, "content", name)
      : undefined;
  }),

  // Responses
  "a success added": incoming("risky", (operation) =>
    areStatusesPlain(operation) &&
    operation.responses.some(({ status }) => isSuccess(status)) &&
    operation.responses.every(({ status }) => status !== "203")
      ? set({ description: "Added." }, operation.pointer, "responses", "203")
      : undefined,
  ),
  "a success removed": incoming("breaking", (operation) => {
    const [first, second] = operation.responses.filter(({ status }) => isSuccess(status));
    return areStatusesPlain(operation) && first && second
      ? remove(operation.pointer, "responses", first.status)
      : undefined;
  }),
  "an error added": incoming("safe", (operation) =>
    areStatusesPlain(operation) && operation.responses.every(({ status }) => status !== "418")
      ? set({ description: "Added." }, operation.pointer, "responses", "418")
      : undefined,
  ),
  "an error removed": incoming("safe", (operation) => {
    const found = operation.responses.find(({ status }) => /^[45]\d\d$/.test(status));
    return areStatusesPlain(operation) && found && operation.responses.length > 1
      ? remove(operation.pointer, "responses", found.status)
      : undefined;
  }),
  "a body of a response removed": onResponses("breaking", ({ pointer, node, status }) =>
    isSuccess(status) &&
    status !== "204" &&
    status !== "205" &&
    Object.keys(toNode(node["content"])).length > 0
      ? remove(pointer, "content")
      : undefined,
  ),
  "a body of a response added": onResponses("safe", ({ pointer, node, status }) =>
    /^20[01]$/.test(status) && !("content" in node) ? set(addedBody.content, pointer, "content") : undefined,
  ),
  "a media type of a response added": onResponses("safe", ({ pointer, node, status }) =>
    /^20[01]$/.test(status) && (listPlainMedia(node)?.length ?? 0) > 0
      ? set({ schema: added }, pointer, "content", "application/vnd.tenon+json")
      : undefined,
  ),
  "a media type of a response removed": onResponses("breaking", ({ pointer, node, status }) => {
    const [name, ...others] = listPlainMedia(node) ?? [];
    return isSuccess(status) && name !== undefined && others.length > 0
      ? remove(pointer, "content", name)
      : undefined;
  }),
  "a header of a response added": onResponses("safe", ({ pointer }) =>
    set({ schema: { type: "string" } }, pointer, "headers", "X-Tenon-Added"),
  ),
  "an optional header of a response removed": onResponses("risky", ({ pointer, node }) => {
    const found = findHeader(node, false);
    return found === undefined ? undefined : remove(pointer, "headers", found);
  }),
  "a required header of a response removed": onResponses("breaking", ({ pointer, node }) => {
    const found = findHeader(node, true);
    return found === undefined ? undefined : remove(pointer, "headers", found);
  }),
  "a header of a response became optional": onResponses("breaking", ({ pointer, node }) => {
    const found = findHeader(node, true);
    return found === undefined ? undefined : set(false, pointer, "headers", found, "required");
  }),
  "a header of a response became required": onResponses("safe", ({ pointer, node }) => {
    const found = findHeader(node, false);
    return found === undefined ? undefined : set(true, pointer, "headers", found, "required");
  }),
  "a link added": onResponses("safe", ({ pointer }, operation) => {
    const { operationId } = operation.node;
    return typeof operationId === "string" ? set({ operationId }, pointer, "links", "tenonAdded") : undefined;
  }),
  "a link removed": onResponses("risky", ({ pointer, node }) => {
    const [name] =
      Object.entries(toNode(node["links"])).find(([, link]) => "operationId" in toNode(link)) ?? [];
    return name === undefined ? undefined : remove(pointer, "links", name);
  }),
  "an example of a response changed": onResponses("none", ({ pointer, node }) => {
    const [name] =
      Object.entries(toNode(node["content"])).find(([, media]) => !("examples" in toNode(media))) ?? [];
    return name === undefined ? undefined : set({ changed: true }, pointer, "content", name, "example");
  }),

  // Security
  "credentials required": incoming("breaking", (operation, uses) => {
    const [scheme] = Object.keys(schemes(uses));
    return scheme !== undefined && isPublic(requirements(operation, uses))
      ? set([{ [scheme]: [] }], operation.pointer, "security")
      : undefined;
  }),
  "credentials optional": incoming("safe", (operation, uses) => {
    const own = requirements(operation, uses);
    return isPublic(own) ? undefined : set([...own, {}], operation.pointer, "security");
  }),
  "an alternative of security removed": incoming("breaking", (operation, uses) => {
    const own = requirements(operation, uses);
    const names = own.map((one) => Object.keys(one));
    const areDistinct = names.every(([name, ...more]) => name !== undefined && more.length === 0);
    return own.length > 1 && areDistinct && new Set(names.flat()).size === own.length
      ? set(own.slice(1), operation.pointer, "security")
      : undefined;
  }),
  "a second scheme required": incoming("breaking", (operation, uses) => {
    const [own, ...others] = requirements(operation, uses);
    const other = Object.keys(schemes(uses)).find((name) => own !== undefined && !(name in own));
    return own && other && Object.keys(own).length > 0 && others.length === 0
      ? set([{ ...own, [other]: [] }], operation.pointer, "security")
      : undefined;
  }),
  "a scope added": incoming("breaking", changeScopes(false)),
  "a scope removed": incoming("safe", changeScopes(true)),
  "an API key in another header": {
    truth: "breaking",
    *find(uses) {
      const used = new Set(
        uses.operations
          .filter(({ kind }) => kind === "operation")
          .flatMap((operation) => requirements(operation, uses).flatMap((one) => Object.keys(one))),
      );
      for (const [name, scheme] of Object.entries(schemes(uses)))
        if (used.has(name) && scheme["type"] === "apiKey")
          yield set("X-Tenon-Key", "#", "components", "securitySchemes", name, "name");
    },
  },

  // Servers and the document
  "a server added": onDocument("safe", ({ servers }) =>
    list(servers).length > 0
      ? set([...list(servers), { url: "https://tenon-added.example" }], "#", "servers")
      : undefined,
  ),
  "a server removed": onDocument("breaking", ({ servers }) => {
    const urls = list(servers).map((server) => String(toNode(server)["url"]).replace(/\/+$/, ""));
    return urls.length > 1 && new Set(urls).size === urls.length && urls.every((url) => !url.includes("{"))
      ? set(list(servers).slice(0, -1), "#", "servers")
      : undefined;
  }),
  "a default of a server's variable changed": onDocument("risky", ({ servers }) => {
    const [server] = list(servers).filter(isNode);
    const [name, variable] = Object.entries(toNode(server?.["variables"]))[0] ?? [];
    const isUsed = name !== undefined && String(server?.["url"]).includes(`{${name}}`);
    return isUsed && isNode(variable) && !("enum" in variable)
      ? set("tenon-added", "#", "servers", 0, "variables", name, "default")
      : undefined;
  }),
  "another version": onDocument("safe", () => set("99.0.0", "#", "info", "version")),
  "another description": onDocument("none", () => set("Changed.", "#", "info", "description")),
  "an unused component added": onDocument("none", () =>
    set(added, "#", "components", "schemas", "TenonAdded"),
  ),

  // Callbacks and webhooks
  "a callback removed": incoming("breaking", ({ pointer, node }) => {
    const [name] = Object.keys(toNode(node["callbacks"]));
    return name === undefined ? undefined : remove(pointer, "callbacks", name);
  }),
  "a callback added": incoming("safe", ({ pointer }) =>
    set(
      { "{$request.query.url}": { post: { responses: { "200": { description: "Added." } } } } },
      pointer,
      "callbacks",
      "tenonAdded",
    ),
  ),
  "a webhook removed": onOperations("breaking", "webhook", ({ pointer }) => remove(pointer)),
  "a webhook added": onDocument("safe", (_, { dialect }) =>
    dialect === "3.0"
      ? undefined
      : set({ post: { responses: { "200": { description: "Added." } } } }, "#", "webhooks", "tenonAdded"),
  ),
  "a response of clients no longer accepted": onOperations("breaking", "webhook", refuseResponse),
  "a response to a callback no longer accepted": onOperations("breaking", "callback", refuseResponse),
  "a response of clients accepted": onOperations("safe", "webhook", acceptResponse),
  "a response to a callback accepted": onOperations("safe", "callback", acceptResponse),
  "a body of a webhook became optional": onOperations("breaking", "webhook", relaxBody),
  "a body of a callback became optional": onOperations("breaking", "callback", relaxBody),
  "a header of a webhook became required": onOperations("safe", "webhook", requireHeader),
};

function refuseResponse(operation: OperationPlace): Edit | undefined {
  const [first, second] = operation.responses;
  return areStatusesPlain(operation) && first && second
    ? remove(operation.pointer, "responses", first.status)
    : undefined;
}

function acceptResponse(operation: OperationPlace): Edit | undefined {
  return areStatusesPlain(operation) && operation.responses.every(({ status }) => status !== "418")
    ? set({ description: "Added." }, operation.pointer, "responses", "418")
    : undefined;
}

function relaxBody({ pointer, requestBody }: OperationPlace): Edit | undefined {
  return requestBody?.node["required"] === true && requestBody.pointer.startsWith(pointer)
    ? set(false, requestBody.pointer, "required")
    : undefined;
}

function requireHeader({ pointer, parameters }: OperationPlace): Edit | undefined {
  const found = parameters.find(
    ({ node, pointer: own }) =>
      node["in"] === "header" &&
      node["required"] !== true &&
      own.startsWith(pointer) &&
      !/^(?:accept|content-type|authorization)$/i.test(String(node["name"])),
  );
  return found && set(true, found.pointer, "required");
}

/** Finds a header that a response describes itself. */
function findHeader({ headers }: Node, required: boolean): string | undefined {
  return Object.entries(toNode(headers)).find(
    ([name, header]) =>
      name.toLowerCase() !== "content-type" &&
      !("$ref" in toNode(header)) &&
      (toNode(header)["required"] === true) === required,
  )?.[0];
}
