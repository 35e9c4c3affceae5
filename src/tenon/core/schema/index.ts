/** Registry of schemas in one dialect, by reference. */
export { type ByteSize, toFileSchema } from "./byte-size.js";
export { countChoices, hasManyChoices } from "./count-choices.js";
export { type Choice, type Discriminator, findDiscriminator } from "./discriminator.js";
export { isSame, type JsonType, typeOf } from "./json-value.js";
export { toRegExp } from "./pattern.js";
export { type RegistryOptions, SchemaRegistry, type Side } from "./registry.js";
export * from "./schema.js";
export {
  findBesideNull,
  getTarget,
  type JsonSchema,
  type JsonSchemaOptions,
  NON_STANDARD_FORMATS,
  toJsonSchema,
} from "./to-json-schema.js";
