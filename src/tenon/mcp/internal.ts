/** Internals of the tools that `@tenon/cli` uses. They may change in any release. */
export { createToolServer, type Send } from "./tool-server.js";
export type { ArgumentProblem, ToolResponse } from "./tool-result.js";
export type { ToolRequest } from "./tool-request.js";
export { createTools, isOffered, isSafe, readToolSettings, type Tool, TOOL_NAME } from "./tools.js";
