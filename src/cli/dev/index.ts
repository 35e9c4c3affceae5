/** Runs a service while its contracts and code change. */
export { DevSession, type SessionOptions } from "./session.js";
