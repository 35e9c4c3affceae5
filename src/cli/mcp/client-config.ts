/** A program whose configuration can be printed. */
export type McpClient = "claude-desktop" | "cursor" | "vscode";

export interface ServerEntry {
  /** Name of the server in the program's list. */
  readonly name: string;
  /** Arguments of `npx`. */
  readonly args: readonly string[];
  /** Environment variables of credentials. */
  readonly variables: readonly string[];
}

/**
 * Writes the configuration that makes a program start the server: `claude_desktop_config.json`, `.cursor/mcp.json` or
 * `.vscode/mcp.json`. VS Code asks for the credentials and keeps them; in the others they are to be filled in.
 */
export function writeClientConfig(client: McpClient, { name, args, variables }: ServerEntry): object {
  const command = { command: "npx", args };
  const write = (toValue: (variable: string) => string) =>
    variables.length > 0 && { env: Object.fromEntries(variables.map((one) => [one, toValue(one)])) };
  if (client !== "vscode") return { mcpServers: { [name]: { ...command, ...write(() => "") } } };
  const toId = (variable: string) => variable.toLowerCase().replaceAll("_", "-");
  const inputs = variables.map((one) => ({
    type: "promptString",
    id: toId(one),
    description: one,
    password: true,
  }));
  return {
    servers: { [name]: { type: "stdio", ...command, ...write((one) => `\${input:${toId(one)}}`) } },
    ...(inputs.length > 0 && { inputs }),
  };
}
