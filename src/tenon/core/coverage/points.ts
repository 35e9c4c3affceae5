import type { Node } from "../legacy/document.js";
import { type At, ContractNodes } from "./contract-node.js";
import { SchemaWalk } from "./schema-walk.js";

export const POINT_KINDS = [
  "response",
  "response media type",
  "response header",
  "response value",
  "request media type",
  "parameter",
  "request value",
] as const;

export type PointKind = (typeof POINT_KINDS)[number];

/** One thing that a contract declares and that tests can make happen. */
export interface Point {
  /** The same in every run, as long as the contract says it in the same place. */
  readonly id: string;
  readonly kind: PointKind;
  /** `listPets: 401`, `"sold"`. */
  readonly title: string;
  /** Where the bundled contract says it. */
  readonly pointer: string;
}

/** What names an operation. */
export interface CoveredOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** A request that was valid. */
export interface CoveredRequest {
  /** What was sent, by place and name: `query/limit`; names of headers in lower case. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** As the contract declares it; undefined without a body. */
  readonly mediaType: string | undefined;
  readonly body: unknown;
}

/** An answer, as far as it is declared. */
export interface CoveredAnswer {
  /** The key of `responses` that declares its status. */
  readonly key: string;
  /** As the contract declares it. */
  readonly mediaType: string | undefined;
  /** In lower case. */
  readonly headers: readonly string[];
}

/** What the operations of a contract share. */
export interface CoveredContract {
  readonly nodes: ContractNodes;
  readonly walks: Readonly<Record<"request" | "response", SchemaWalk>>;
}

/** @param document Bundled: its references lead to itself. */
export function coverContract(document: Node): CoveredContract {
  const nodes = new ContractNodes(document);
  return {
    nodes,
    walks: { request: new SchemaWalk("request", nodes), response: new SchemaWalk("response", nodes) },
  };
}

type Found = (point: Point) => void;

/**
 * What of an operation can be covered: parameters, media types, statuses and headers count for each operation, what a schema says
 * counts once for all requests and once for all responses, as a function counts once for all who call it.
 */
export class OperationPoints {
  private readonly nodes: ContractNodes;
  private readonly walks: CoveredContract["walks"];
  private readonly parameters: ReadonlyMap<string, At & { readonly declared: string }>;
  private readonly requestTypes: readonly (At & { readonly name: string })[];
  private readonly responses: readonly (At & { readonly name: string; readonly declared: string })[];

  constructor(
    private readonly operation: CoveredOperation,
    { nodes, walks }: CoveredContract,
  ) {
    this.nodes = nodes;
    this.walks = walks;
    const root = { node: nodes.document, pointer: "#" };
    const pathItem = nodes.member(root, "paths", operation.path);
    const at = pathItem && nodes.member(pathItem, operation.method);
    this.parameters = new Map(
      [pathItem, at].flatMap((owner) =>
        (owner === undefined ? [] : nodes.items(owner, "parameters")).map((parameter, index) => [
          toKey(parameter.node),
          { ...parameter, declared: `${owner?.pointer ?? ""}/parameters/${index}` },
        ]),
      ),
    );
    const body = at && nodes.member(at, "requestBody");
    this.requestTypes = body === undefined ? [] : nodes.members(body, "content");
    this.responses = (at === undefined ? [] : nodes.members(at, "responses"))
      .filter(({ name }) => !name.startsWith("x-"))
      .map((response) => ({ ...response, declared: `${at?.pointer ?? ""}/responses/${response.name}` }));
  }

  /** Every point of the operation. */
  list(found: Found): void {
    for (const [key, parameter] of this.parameters) {
      found(this.toParameter(key, parameter.declared));
      const schema = this.findSchema(parameter);
      if (schema) this.walks.request.list(schema, found);
    }
    for (const type of this.requestTypes) {
      found(this.toRequestType(type.name, type.pointer));
      const schema = this.nodes.member(type, "schema");
      if (schema) this.walks.request.list(schema, found);
    }
    for (const response of this.responses) {
      found(this.toResponse(response.name, response.declared));
      for (const { name, pointer } of this.nodes.members(response, "headers"))
        found(this.toHeader(response.name, name, pointer));
      for (const type of this.nodes.members(response, "content")) {
        found(this.toResponseType(response.name, type.name, type.pointer));
        const schema = this.nodes.member(type, "schema");
        if (schema) this.walks.response.list(schema, found);
      }
    }
  }

  /** The points that a valid request is an example of. */
  findInRequest({ parameters, mediaType, body }: CoveredRequest, found: Found): void {
    for (const [key, parameter] of this.parameters) {
      if (!Object.hasOwn(parameters, key)) continue;
      found(this.toParameter(key, parameter.declared));
      const schema = this.findSchema(parameter);
      if (schema) this.walks.request.findTried(parameters[key], schema, found);
    }
    const type = this.requestTypes.find(({ name }) => name === mediaType);
    if (type === undefined) return;
    found(this.toRequestType(type.name, type.pointer));
    const schema = this.nodes.member(type, "schema");
    if (schema) this.walks.request.findTried(body, schema, found);
  }

  /** The points of an answer, without its body. */
  findInAnswer({ key, mediaType, headers }: CoveredAnswer, found: Found): void {
    const response = this.responses.find(({ name }) => name === key);
    if (response === undefined) return;
    found(this.toResponse(key, response.declared));
    for (const { name, pointer } of this.nodes.members(response, "headers"))
      if (headers.includes(name.toLowerCase())) found(this.toHeader(key, name, pointer));
    const type = this.nodes.members(response, "content").find(({ name }) => name === mediaType);
    if (type) found(this.toResponseType(key, type.name, type.pointer));
  }

  /** The points that the value of a body is an example of. */
  findInBody(body: unknown, { key, mediaType }: Omit<CoveredAnswer, "headers">, found: Found): void {
    const response = this.responses.find(({ name }) => name === key);
    const schema = response && this.nodes.member(response, "content", mediaType ?? "", "schema");
    if (schema) this.walks.response.findTried(body, schema, found);
  }

  private findSchema(parameter: At): At | undefined {
    const [type] = this.nodes.members(parameter, "content");
    return type === undefined ? this.nodes.member(parameter, "schema") : this.nodes.member(type, "schema");
  }

  private toParameter(key: string, pointer: string): Point {
    return this.toPoint("parameter", key.replace("/", " "), pointer);
  }

  private toRequestType(mediaType: string, pointer: string): Point {
    return this.toPoint("request media type", mediaType, pointer);
  }

  private toResponse(key: string, pointer: string): Point {
    return this.toPoint("response", key, pointer);
  }

  private toResponseType(key: string, mediaType: string, pointer: string): Point {
    return this.toPoint("response media type", `${key} ${mediaType}`, pointer);
  }

  private toHeader(key: string, name: string, pointer: string): Point {
    return this.toPoint("response header", `${key} ${name}`, pointer);
  }

  private toPoint(kind: PointKind, what: string, pointer: string): Point {
    const { id } = this.operation;
    return { id: `${id} ${kind} ${what}`, kind, title: `${id}: ${what}`, pointer };
  }
}

/** Every point of a contract, once. */
export function listPoints(document: Node, operations: readonly CoveredOperation[]): readonly Point[] {
  const contract = coverContract(document);
  const points = new Map<string, Point>();
  for (const operation of operations) {
    new OperationPoints(operation, contract).list((point) => {
      if (!points.has(point.id)) points.set(point.id, point);
    });
  }
  return [...points.values()];
}

function toKey({ in: place, name }: Node): string {
  return `${String(place)}/${place === "header" ? String(name).toLowerCase() : String(name)}`;
}
