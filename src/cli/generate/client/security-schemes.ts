import type { CredentialPlace } from "tenon/client";
import type { Contract, Credential } from "tenon/core/model";

/** Returns the location of each scheme's credential. Schemes without one in the request, such as `mutualTLS`, are left out. */
export function toSecuritySchemes({
  securitySchemes,
}: Pick<Contract, "securitySchemes">): Readonly<Record<string, CredentialPlace>> {
  return Object.fromEntries(
    securitySchemes.flatMap(({ name, credential }) => {
      const place = toPlace(credential);
      return place === undefined ? [] : [[name, place]];
    }),
  );
}

function toPlace(credential: Credential): CredentialPlace | undefined {
  switch (credential.kind) {
    case "oauth2":
    case "openIdConnect":
      return { scheme: "Bearer" };
    case "http": {
      const { scheme } = credential;
      return { scheme: scheme.charAt(0).toUpperCase() + scheme.slice(1) };
    }
    case "apiKey":
      return { in: credential.in, name: credential.name };
    case "mutualTLS":
    case "unknown":
      return undefined;
  }
}
