import {
  getMembers,
  isNode,
  type Located,
  type Node,
  pickTexts,
  toArray,
  toStrings,
  toText,
} from "../document/node.js";
import { getOwn, joinPointer, parsePointer } from "../document/pointer.js";
import { type BuildContext, type Report, resolve } from "./context.js";
import type { Credential, OAuthFlow, SecurityRequirement, SecurityScheme } from "./contract.js";

/** @see https://spec.openapis.org/oas/v3.1.0#security-scheme-object */
export function buildSecuritySchemes(context: BuildContext): readonly SecurityScheme[] {
  return context.source.components("securitySchemes").flatMap(({ name, ...reference }) => {
    const scheme = resolve(reference, context);
    if (scheme === undefined) return [];
    reportHeaderName(scheme, `the credential of security scheme "${name}"`, context.report);
    return {
      pointer: scheme.pointer,
      name,
      ...pickTexts(scheme.node, "description", "openIdConnectUrl", "oauth2MetadataUrl"),
      deprecated: scheme.node["deprecated"] === true,
      credential: toCredential(scheme.node),
      flows: buildFlows(scheme),
    };
  });
}

function toCredential(node: Node): Credential {
  const { type, scheme, name, in: place } = node;
  switch (type) {
    case "http":
      return typeof scheme === "string" ? { kind: "http", scheme } : { kind: "unknown", type };
    case "apiKey":
      return typeof name === "string" && (place === "header" || place === "query" || place === "cookie")
        ? { kind: "apiKey", in: place, name }
        : { kind: "unknown", type };
    case "oauth2":
    case "openIdConnect":
    case "mutualTLS":
      return { kind: type };
    default:
      return { kind: "unknown", type: String(type) };
  }
}

function buildFlows(scheme: Located): readonly OAuthFlow[] {
  return getMembers(scheme, "flows").map(({ name, node, pointer }) => {
    const scopes = getOwn(node, "scopes");
    return {
      pointer,
      name,
      ...pickTexts(node, "authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"),
      scopes: isNode(scopes) ? Object.keys(scopes) : [],
    };
  });
}

/**
 * Builds the `security` of the document or of an operation. An operation's own replaces the document's, even if it is empty.
 * @returns undefined if the node has none.
 * @see https://spec.openapis.org/oas/v3.1.0#security-requirement-object
 */
export function buildSecurity(
  { node, pointer }: Located,
  schemes: readonly SecurityScheme[],
  { report }: BuildContext,
): readonly SecurityRequirement[] | undefined {
  const declared = getOwn(node, "security");
  if (declared === undefined) return undefined;
  return toArray(declared).flatMap((requirement, index) => {
    if (!isNode(requirement)) return [];
    const named = Object.entries(requirement).map(([key, scopes]): [string, readonly string[]] => {
      const name = schemes.some((scheme) => scheme.name === key) ? key : toSchemeName(key);
      if (!schemes.some((scheme) => scheme.name === name)) {
        const message = `Security scheme "${key}" is not declared in components/securitySchemes`;
        const hint = key.includes("#") ? `Declare it there: { $ref: ${JSON.stringify(key)} }` : undefined;
        report("security-scheme-unknown", joinPointer(pointer, "security", index, key), message, hint);
      }
      return [name, toStrings(scopes)];
    });
    return [Object.fromEntries(named)];
  });
}

/**
 * Converts the URI of a component to its name: `#/components/securitySchemes/key` becomes `key`. Any other URI stays.
 * @see https://spec.openapis.org/oas/v3.2.0#security-requirement-object
 */
function toSchemeName(key: string): string {
  const [root, kind, name, ...rest] = key.startsWith("#/") ? parsePointer(key) : [];
  const isScheme = root === "components" && kind === "securitySchemes" && rest.length === 0;
  return isScheme && name !== undefined ? name : key;
}

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Warns about a header parameter or an API key whose name is not a valid header name. */
export function reportHeaderName({ node, pointer }: Located, what: string, report: Report): void {
  const name = toText(node["name"]);
  if (node["in"] !== "header" || name === undefined || TOKEN.test(name)) return;
  report(
    "header-name",
    joinPointer(pointer, "name"),
    `"${name}" is not a valid header name: ${what} cannot be sent`,
  );
}
