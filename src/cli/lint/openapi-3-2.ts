import type { Extend } from "./rules/schema-keyword-known.js";

type NodeType = Parameters<Extend>[0][string];

/** A map whose values are of one type of node. */
const mapOf = (type: string): NodeType => ({ properties: {}, additionalProperties: () => type });

/**
 * Corrects the types of OpenAPI 3.2 that the rule `struct` expects: Redocly does not know the style `cookie`, nested encodings, the
 * media types of components and the scopes of the device flow, and requires the description of a response, which is optional.
 * @see https://spec.openapis.org/oas/v3.2.0#response-object
 */
export const correctTypes: Extend = (types, version) => {
  if (version !== "oas3_2") return types;
  const extend = (name: string, properties: NodeType["properties"]): NodeType | undefined => {
    const type = types[name];
    return type && { ...type, properties: { ...type.properties, ...properties } };
  };
  const styles = (types["Parameter"]?.properties["style"] ?? {}) as { readonly enum?: readonly string[] };
  const corrected = {
    DeviceAuthorization: extend("DeviceAuthorization", {
      scopes: types["AuthorizationCode"]?.properties["scopes"] ?? null,
    }),
    Encoding: extend("Encoding", {
      encoding: "EncodingMap",
      prefixEncoding: types["MediaType"]?.properties["prefixEncoding"] ?? null,
      itemEncoding: "Encoding",
    }),
    MediaType: extend("MediaType", { description: { type: "string" } }),
    NamedMediaTypes: mapOf("MediaType"),
    Parameter: extend("Parameter", { style: { ...styles, enum: [...(styles.enum ?? []), "cookie"] } }),
    Response: types["Response"] && { ...types["Response"], required: [] },
  };
  return { ...types, ...corrected } as typeof types;
};
