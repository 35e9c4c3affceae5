/** Sends requests within limits. */
export { createClient, type Client, type NoResponse } from "./client.js";
export { createSession, Exhausted, type Limits, type Session, Unreachable } from "./session.js";
