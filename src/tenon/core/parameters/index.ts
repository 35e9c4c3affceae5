/** Serialization of values as text, and parsing. */
export * from "./style.js";
export * from "./value-type.js";
