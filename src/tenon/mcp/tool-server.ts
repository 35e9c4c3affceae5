import {
  type CallToolResult,
  createMcpHandler,
  type McpHttpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { isNode } from "../core/document/index.js";
import { createToolSearch } from "./search-tools.js";
import { type ToolRequest, writeToolRequest } from "./tool-request.js";
import {
  type ArgumentProblem,
  hasParts,
  PART,
  toFailure,
  type ToolResponse,
  toResult,
} from "./tool-result.js";
import { shorten } from "./tool-schema.js";
import type { Tool } from "./tools.js";
import { type Watch, watchItems } from "./watch-items.js";

/** The response to a call, and what was wrong with its arguments. */
export interface Called {
  readonly response: ToolResponse;
  readonly problems?: readonly ArgumentProblem[];
  /** Mismatches between the response and the contract. */
  readonly mismatches?: readonly string[];
}

/** Sends the request of a tool. */
export type Send = (tool: Tool, request: ToolRequest, options: SendOptions) => Promise<Called>;

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Sees the response as it arrives. */
  readonly watch?: Watch | undefined;
}

export interface ToolServerOptions {
  /** Name and version of the service. */
  readonly name: string;
  readonly version: string;
  readonly tools: readonly Tool[];
  /** More tools than this are not listed: two tools find and call them. */
  readonly maxTools: number;
  /** Characters of text that a result may have at once. */
  readonly maxText: number;
}

/** Creates servers of the Model Context Protocol for tools: one for each request or connection. */
export function createToolServer(options: ToolServerOptions): (send: Send) => McpServer {
  const { name, version, tools, maxTools, maxText } = options;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const isLarge = tools.length > maxTools;
  const search = isLarge ? createToolSearch(tools) : undefined;
  const listed = isLarge ? [FIND, CALL] : tools.map(toListed);

  const call = async (
    send: Send,
    toolName: string,
    args: Arguments,
    { signal, report }: CallOptions,
  ): Promise<CallToolResult> => {
    const tool = byName.get(toolName);
    if (tool === undefined) {
      if (isLarge) return toFailure(`There is no operation "${toolName}". Find its name with ${FIND.name}.`);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${toolName}"`);
    }
    const { [PART]: part = 1, ...others } = args;
    const given = hasParts(tool) ? others : args;
    if (!Number.isInteger(part) || Number(part) < 1)
      return toFailure(`"${PART}" must be a whole number from 1`);
    try {
      const request = await writeToolRequest(tool, given);
      const watch = report && watchItems(tool, report);
      const { response, ...found } = await send(tool, request, { signal, watch });
      await watch?.end();
      const sent = { target: request.target, arguments: given };
      return toResult(tool, response, { maxText, part: Number(part), sent, ...found });
    } catch (error) {
      return toFailure(error instanceof Error ? error.message : String(error));
    }
  };

  return (send) => {
    const created = new McpServer({ name, version }, { capabilities: { tools: { listChanged: false } } });
    // The tools have schemas of their own, in JSON Schema.
    const { server } = created;
    server.setRequestHandler("tools/list", () => ({ tools: listed }));
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const args: Arguments = params.arguments ?? {};
      const options = { signal: mcpReq.signal, report: createReport(mcpReq) };
      if (search === undefined) return call(send, params.name, args, options);
      if (params.name === FIND.name) return find(search, args);
      if (params.name !== CALL.name)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`);
      const { name: wanted, arguments: given = {} } = args;
      if (typeof wanted !== "string" || !isNode(given))
        return toFailure(`"name" must be a text, and "arguments" an object`);
      return call(send, wanted, given, options);
    });
    return created;
  };
}

/** Creates the handler of HTTP for tools: without sessions, for all revisions of the protocol that are in use. */
export function createToolHandler(options: ToolServerOptions, send: Send): McpHttpHandler {
  const create = createToolServer(options);
  return createMcpHandler(() => create(send));
}

/** Creates the function that sends the items of a stream to a client that wants to see progress. */
function createReport({ _meta, notify }: ServerContext["mcpReq"]): CallOptions["report"] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (item, progress) => {
    const message = shorten(typeof item === "string" ? item : JSON.stringify(item), MAX_MESSAGE);
    return notify({ method: "notifications/progress", params: { progressToken, progress, message } });
  };
}

/** Characters of an item that are sent as progress; the result has all of it. */
const MAX_MESSAGE = 2_000;

interface CallOptions {
  readonly signal: AbortSignal;
  /** Reports an item of a stream, and its number from 1. */
  readonly report: ((item: unknown, count: number) => Promise<void>) | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

function toListed({ name, title, description, inputSchema, outputSchema, annotations }: Tool): ListedTool {
  return {
    ...{ name, title, description, annotations: { ...annotations } },
    // The types of schemas are those of JSON.
    inputSchema: inputSchema as ListedTool["inputSchema"],
    outputSchema,
  };
}

/** How many operations are found. */
const MAX_FOUND = 8;

function find(search: ReturnType<typeof createToolSearch>, { query }: Arguments): CallToolResult {
  if (typeof query !== "string") return toFailure(`"query" must be a text`);
  const operations = search(query, MAX_FOUND).map(({ name, description, inputSchema, annotations }) => ({
    name,
    description,
    inputSchema,
    readOnly: annotations.readOnlyHint,
  }));
  const text =
    operations.length === 0 ? "No operation was found. Try other words." : JSON.stringify(operations);
  return { content: [{ type: "text", text }], structuredContent: { operations } };
}

const FIND = {
  name: "find_operations",
  title: "Find operations",
  description:
    'Finds operations of this API by words, such as "create an issue comment". Returns their names, what they do and the schemas of their arguments, the best first.',
  inputSchema: {
    type: "object" as const,
    properties: { query: { type: "string", description: "Words of what you want to do" } },
    required: ["query"],
    additionalProperties: false,
  },
  annotations: {
    title: "Find operations",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

const CALL = {
  name: "call_operation",
  title: "Call an operation",
  description: `Calls an operation of this API that ${FIND.name} has found.`,
  inputSchema: {
    type: "object" as const,
    properties: {
      name: { type: "string", description: `Name of the operation, from ${FIND.name}` },
      arguments: { type: "object", description: "Its arguments, as its schema says" },
    },
    required: ["name"],
    additionalProperties: false,
  },
  annotations: {
    title: "Call an operation",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
};
