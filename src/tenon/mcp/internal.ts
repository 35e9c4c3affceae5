/** Internals of the tools that `@tenon/cli` uses. They may change in any release. */
export { createInProcessSender } from "./in-process.js";
export { explainProblem, toProblems } from "./tool-result.js";
export type { ToolRequest } from "./tool-request.js";
export type { Send } from "./tool-server.js";
export {
  type Argument,
  createTools,
  type Hints,
  isOffered,
  isSafe,
  MAX_DESCRIPTION,
  readToolSettings,
  SETTINGS,
  type Tool,
  TOOL_NAME,
} from "./tools.js";

/** Loads what needs `@modelcontextprotocol/server`, which is optional. */
export const loadToolServer = () => import("./tool-server.js");
