import { isNode, type Node, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { dereference, entries } from "./types/references.js";

/** Where a credential goes: as `CredentialPlace` of a client's contract. */
export type SchemePlace =
  { readonly scheme: string } | { readonly in: "header" | "query" | "cookie"; readonly name: string };

/** How each scheme's credential is sent. One that no request can carry, `mutualTLS`, is left out. */
export function toSecuritySchemes(document: Node): Readonly<Record<string, SchemePlace>> {
  const components = getOwn(document, "components");
  const declared = isNode(components) ? entries(components, "securitySchemes") : [];
  return Object.fromEntries(
    declared.flatMap(([name, value]) => {
      const scheme = dereference(document, value);
      const place = scheme && toPlace(scheme);
      return place === undefined ? [] : [[name, place]];
    }),
  );
}

/** @see https://spec.openapis.org/oas/v3.1.0#security-scheme-object */
function toPlace(scheme: Node): SchemePlace | undefined {
  switch (scheme["type"]) {
    case "oauth2":
    case "openIdConnect":
      return { scheme: "Bearer" };
    case "http": {
      const name = toText(scheme["scheme"]) ?? "bearer";
      return { scheme: name.charAt(0).toUpperCase() + name.slice(1) };
    }
    case "apiKey":
      return { in: scheme["in"], name: scheme["name"] } as SchemePlace;
    default:
      return undefined;
  }
}
