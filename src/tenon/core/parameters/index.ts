/** How values are written as text, and read from it. */
export * from "./style.js";
export * from "./value-type.js";
