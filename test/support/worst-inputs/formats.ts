import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { fullFormats } = require("ajv-formats/dist/formats.js") as { readonly fullFormats: object };
const { formats } = require("express-openapi-validator/dist/framework/ajv/formats.js") as {
  readonly formats: object;
};

/** The formats that the validator knows. */
export const FORMATS: readonly string[] = [
  ...new Set([...Object.keys(fullFormats), ...Object.keys(formats)]),
];
