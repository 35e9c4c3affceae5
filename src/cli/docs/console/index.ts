/** The page on which readers try calls. Browser code imports the files that it needs. */
export { createConsoleFiles } from "./console-files.js";
export { isCallableOrigin } from "./console-policy.js";
