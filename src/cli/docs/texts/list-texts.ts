import type { Placed } from "tenon/core/document";
import type { Contract, MediaType, Operation, OutgoingRequest, Parameter } from "tenon/core/model";
import type { RequestBody, Response, ResponseHeader, Server } from "tenon/core/model";
import { listChildren, type Schema } from "tenon/core/schema";
import { toCode, toGroupLink, toOperationLink } from "./markdown.js";

/** A description of the contract that a page shows. */
export interface SectionText {
  readonly description: string;
  /** Markdown of the part of the page that shows it first: a link, or a name. */
  readonly section: string;
  /** Name of its parameter, property, response, header or variable. */
  readonly name?: string | undefined;
}

interface Described extends Placed {
  readonly description?: string;
}

/** Lists the descriptions of a contract, each once, in the order of the page. A shared one belongs to the first operation. */
export function listTexts(contract: Contract): readonly SectionText[] {
  const texts: SectionText[] = [];
  const seen = new Set<Schema | string>();

  /** @returns false for a node that is known. */
  const add = ({ pointer, description }: Described, section: string, name?: string): boolean => {
    if (seen.has(pointer)) return false;
    seen.add(pointer);
    if (description !== undefined) texts.push({ description, section, name });
    return true;
  };
  const addSchema = (start: Schema, section: string, owner?: string): void => {
    const waiting = [{ schema: start, name: owner }];
    // A stack, because a chain of references may be longer than the call stack.
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { schema, name } = next;
      if (seen.has(schema)) continue;
      seen.add(schema);
      if (schema.description !== undefined) add(schema, section, name);
      const children = listChildren(schema).map(({ schema: child, path: [key, property] }) => ({
        schema: child,
        name: key === "properties" ? String(property) : name,
      }));
      if (schema.reference !== undefined)
        children.unshift({ schema: contract.registry.get(schema.reference), name });
      waiting.push(...children.reverse());
    }
  };
  const addValue = (value: Parameter | ResponseHeader, section: string): void => {
    add(value, section, value.name);
    addSchema(value.schema, section, value.name);
  };
  const addContent = (mediaTypes: readonly MediaType[], section: string, name?: string): void => {
    for (const { schema, encoding } of mediaTypes) {
      if (schema) addSchema(schema, section, name);
      for (const header of encoding.flatMap(({ headers }) => headers)) addValue(header, section);
    }
  };
  const addBody = (body: RequestBody, section: string): void => {
    if (add(body, section)) addContent(body.mediaTypes, section);
  };
  const addResponse = (response: Response, section: string): void => {
    if (!add(response, section, response.status)) return;
    for (const header of response.headers) addValue(header, section);
    addContent(response.mediaTypes, section, response.status);
  };
  const addRequest = (request: Operation | OutgoingRequest, section: string): void => {
    for (const parameter of request.parameters) addValue(parameter, section);
    if (request.requestBody) addBody(request.requestBody, section);
    for (const response of request.responses) addResponse(response, section);
  };
  const addServers = (servers: readonly Server[], section: string): void => {
    for (const server of servers) {
      add(server, section);
      for (const variable of server.variables) add(variable, section, variable.name);
    }
  };

  addServers(contract.servers, "Servers");
  for (const tag of contract.tags) add(tag, toGroupLink("tag", [tag.name], tag.displayName));
  for (const operation of contract.operations) {
    const section = toSection(operation);
    add(operation, section);
    addServers(operation.servers, section);
    addRequest(operation, section);
    for (const callback of operation.callbacks) if (add(callback, section)) addRequest(callback, section);
  }
  return texts;
}

function toSection({ id, hasId, summary, method, path }: Operation): string {
  return hasId ? toOperationLink(id, summary ?? id) : toCode(summary ?? `${method.toUpperCase()} ${path}`);
}
