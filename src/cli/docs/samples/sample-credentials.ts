import type { CredentialPlace } from "tenon/client";
import type { SecurityRequirement } from "tenon/core/model";

/** A credential of a security scheme, as a sample sends it. Variables are names of environment variables: `API_KEY`. */
export type SampleCredential = { readonly scheme: string } & (
  | Secret
  /** `basic`: a name and its password; `certificate` (`mutualTLS`), which belongs to the connection: itself and its private key. */
  | { readonly kind: "basic" | "certificate"; readonly variables: readonly [first: string, second: string] }
);

/** A text in the request. */
export interface Secret {
  readonly kind: "secret";
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  /** Text before it: `Bearer `, or nothing. */
  readonly start: string;
  readonly variables: readonly [string];
}

/** A text of a request, with variables in the place of its secrets. */
export type SampleText = readonly (string | { readonly variable: string })[];

/**
 * Chooses the credentials of a sample: none where they are optional, otherwise those of the first alternative.
 * @param security Alternatives.
 * @param schemes All schemes of the contract: a single one is `$API_KEY`, several have variables with their names.
 */
export function chooseCredentials(
  security: readonly SecurityRequirement[],
  schemes: Readonly<Record<string, CredentialPlace>>,
): readonly SampleCredential[] {
  const alternatives = security.map((requirement) => Object.keys(requirement));
  const chosen = alternatives.find((names) => names.length === 0) ?? alternatives[0] ?? [];
  const isOnly = Object.keys(schemes).length === 1;
  return chosen.map((scheme) => {
    const place = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
    return { scheme, ...toCredential(place, isOnly ? "API" : toVariable(scheme)) };
  });
}

/** Writes the secrets in a query or in cookies, each after the text before it: `&key=`. */
export function writeSecrets(
  credentials: readonly SampleCredential[],
  place: "query" | "cookie",
  pairs: readonly unknown[],
): SampleText {
  const secrets = credentials.flatMap((one) => (one.kind === "secret" && one.in === place ? [one] : []));
  const [first, next] = place === "query" ? ["?", "&"] : ["", "; "];
  return secrets.flatMap(({ name, variables: [variable] }, index) => {
    const written = place === "query" ? encodeURIComponent(name) : name;
    return [`${index + pairs.length === 0 ? first : next}${written}=`, { variable }];
  });
}

/** A suffix keeps a scheme called "path" from being `$PATH`. */
function toCredential(place: CredentialPlace | undefined, start: string) {
  if (place === undefined)
    return { kind: "certificate", variables: [`${start}_CERTIFICATE`, `${start}_PRIVATE_KEY`] } as const;
  if ("scheme" in place && place.scheme === "Basic")
    return { kind: "basic", variables: [`${start}_USERNAME`, `${start}_PASSWORD`] } as const;
  const variables = [/_(?:KEY|TOKEN)$/.test(start) ? start : `${start}_KEY`] as const;
  return "scheme" in place
    ? ({ kind: "secret", in: "header", name: "Authorization", start: `${place.scheme} `, variables } as const)
    : ({ kind: "secret", in: place.in, name: place.name, start: "", variables } as const);
}

/** `bearerAuth` becomes `BEARER_AUTH`. */
function toVariable(scheme: string): string {
  const words = scheme.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").match(/[A-Za-z\d]+/g) ?? [];
  const name = words.join("_").toUpperCase();
  return /^[A-Z]/.test(name) ? name : `API_${name}`;
}
