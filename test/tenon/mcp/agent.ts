import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export interface AgentOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Revision of the protocol. Default: the newest. */
  readonly revision?: string;
}

export type OnProgress = (update: {
  readonly progress: number;
  readonly message?: string | undefined;
}) => void;

/** An agent that uses tools with the official client. */
export interface Agent {
  readonly revision: string | undefined;
  readonly capabilities: ReturnType<Client["getServerCapabilities"]>;
  list(): ReturnType<Client["listTools"]>;
  /** The client refuses a result that its tool's output schema does not allow. */
  call(name: string, args?: Readonly<Record<string, unknown>>, onProgress?: OnProgress): Promise<Result>;
  close(): Promise<void>;
}

export interface Result extends Pick<CallToolResult, "content"> {
  readonly structuredContent?: { readonly status?: number; readonly [name: string]: unknown };
  readonly isError?: boolean;
  /** The text of all content. */
  readonly text: string;
}

export const NEWEST = "2026-07-28";

/** Connects to tools and lists them. */
export async function connectAgent(
  url: string,
  { headers = {}, revision = NEWEST }: AgentOptions = {},
): Promise<Agent> {
  const client = new Client(
    { name: "test", version: "1" },
    revision === NEWEST
      ? { versionNegotiation: { mode: { pin: NEWEST } } }
      : { supportedProtocolVersions: [revision] },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  await client.listTools();
  return {
    revision: client.getNegotiatedProtocolVersion(),
    capabilities: client.getServerCapabilities(),
    list: () => client.listTools(),
    async call(name, args = {}, onProgress) {
      const options = onProgress && { onprogress: onProgress };
      const result = (await client.callTool({ name, arguments: args }, options)) as Omit<Result, "text">;
      return { ...result, text: result.content.map((one) => (one.type === "text" ? one.text : "")).join("") };
    },
    close: () => client.close(),
  };
}

/** Sends one request of the protocol, without a client. */
export async function post(
  url: string,
  method: string,
  params: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-11-25",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}
