/** Operations as tools for agents. */
export { createMcpRouter, type McpOptions } from "./mcp-router.js";
