/** Runs a service while its contracts and code change. */
export { DevSession } from "./session.js";
