import type { Lasting } from "tenon/core/document";
import type {
  Contract,
  MediaType,
  Operation,
  OutgoingRequest,
  Parameter,
  Placed,
  RequestBody,
  Response,
  ResponseHeader,
  Server,
} from "tenon/core/model";
import { listChildren, type Schema } from "tenon/core/schema";
import { toCode, toGroupLink, toOperationLink } from "./markdown.js";

/** A node of the contract that has a description or a lifecycle, or may get a description. */
export interface TextNode extends Placed, Lasting {
  readonly description?: string;
  /** Name of the node's parameter, property, response, header or variable. */
  readonly name?: string;
  /** Markdown of the part of the page that shows it first. Absent when no part has a link to it. */
  readonly section?: string;
  readonly operation?: Operation;
  /** A webhook or callback. */
  readonly outgoing?: OutgoingRequest;
  readonly response?: Omit<Response, "status">;
}

type Text = Pick<TextNode, "pointer" | "description" | "lifecycle">;

/** The place of a node, for the nodes within it. */
type Owner = Omit<TextNode, keyof Text>;

/** Lists the nodes of a contract, each once, in the order of the page. A shared node belongs to the first operation. */
export function listTexts(contract: Contract): readonly TextNode[] {
  const texts = new Map<string, TextNode>();
  const seen = new Set<Schema>();

  const add = ({ pointer, description, lifecycle }: Text, owner: Owner): boolean => {
    if (texts.has(pointer)) return false;
    texts.set(pointer, {
      pointer,
      ...(description !== undefined && { description }),
      ...(lifecycle && { lifecycle }),
      ...owner,
    });
    return true;
  };

  const addSchema = (start: Schema, owner: Owner): void => {
    const waiting = [{ schema: start, owner }];
    // A stack, because a chain of references may be longer than the call stack.
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { schema, owner: within } = next;
      if (seen.has(schema)) continue;
      seen.add(schema);
      if (schema.description !== undefined || schema.lifecycle !== undefined) add(schema, within);
      const children = listChildren(schema).map(({ schema: child, path: [key, name] }) => ({
        schema: child,
        owner: key === "properties" ? { ...within, name: String(name) } : within,
      }));
      if (schema.reference !== undefined)
        children.unshift({ schema: contract.registry.get(schema.reference), owner: within });
      waiting.push(...children.reverse());
    }
  };
  const addValue = (value: Parameter | ResponseHeader, { section }: Owner): void => {
    const owner = { ...(section !== undefined && { section }), name: value.name };
    add(value, owner);
    addSchema(value.schema, owner);
  };
  const addContent = (mediaTypes: readonly MediaType[], owner: Owner): void => {
    for (const { schema, encoding } of mediaTypes) {
      if (schema) addSchema(schema, owner);
      for (const { headers } of encoding) for (const header of headers) addValue(header, owner);
    }
  };
  const addBody = (body: RequestBody | undefined, owner: Owner): void => {
    if (body && add(body, owner)) addContent(body.mediaTypes, owner);
  };
  const addResponse = (response: Omit<Response, "status">, owner: Owner): void => {
    if (!add(response, { ...owner, response })) return;
    for (const header of response.headers) addValue(header, owner);
    addContent(response.mediaTypes, owner);
  };
  const addRequest = (request: Operation | OutgoingRequest, owner: Owner): void => {
    for (const parameter of request.parameters) addValue(parameter, owner);
    addBody(request.requestBody, owner);
    for (const response of request.responses) addResponse(response, { ...owner, name: response.status });
  };
  const addOutgoing = (outgoing: OutgoingRequest, owner: Owner): void => {
    if (add(outgoing, { ...owner, outgoing })) addRequest(outgoing, owner);
  };
  const addServers = (servers: readonly Server[], owner: Owner): void => {
    for (const server of servers) {
      add(server, owner);
      for (const variable of server.variables) add(variable, { ...owner, name: variable.name });
    }
  };

  addServers(contract.servers, { section: "Servers" });
  for (const tag of contract.tags) add(tag, { section: toGroupLink("tag", [tag.name], tag.displayName) });
  for (const operation of contract.operations) {
    const owner = { section: toSection(operation) };
    add(operation, { ...owner, operation });
    addServers(operation.servers, owner);
    addRequest(operation, owner);
    for (const callback of operation.callbacks) addOutgoing(callback, owner);
  }
  for (const webhook of contract.webhooks) addOutgoing(webhook, {});
  const { components } = contract;
  for (const { schema } of contract.schemas) addSchema(schema, {});
  for (const parameter of components.parameters.values()) addValue(parameter, {});
  for (const header of components.headers.values()) addValue(header, {});
  for (const body of components.requestBodies.values()) addBody(body, {});
  for (const response of components.responses.values()) addResponse(response, {});
  for (const scheme of contract.securitySchemes) add(scheme, {});
  return [...texts.values()];
}

function toSection({ id, hasId, summary, method, path }: Operation): string {
  return hasId ? toOperationLink(id, summary ?? id) : toCode(summary ?? `${method.toUpperCase()} ${path}`);
}
