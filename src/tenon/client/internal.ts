/** Internals of the client that `@tenon/cli` uses. They may change in any release. */
export { type WrittenParameters, writeParameters } from "./parameters.js";
export { isJsonText, toFieldStyles, toFormStyles, toStyles, toUrlPath } from "./styles.js";
export { formatEnd, formatPart, toSentParts } from "./parts.js";
export { type Field, toFields, writeBody, writeContent } from "./request-body.js";
