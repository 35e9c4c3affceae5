/** Offers the operations of any API as tools. */
export { type McpClient, writeClientConfig } from "./client-config.js";
export { createSender } from "./create-sender.js";
