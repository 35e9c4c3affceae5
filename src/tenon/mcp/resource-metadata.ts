import type { Request } from "express";
import type { Contract, Operation } from "../core/model/index.js";
import { HttpError } from "../runtime/errors/http-error.js";

/** Path of the metadata below the address of the tools. */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** Headers of a refusal. */
type Challenge = Readonly<Record<string, string>>;

/** Shows clients of OAuth 2.0 and OpenID Connect where to get a token for the tools. */
export interface ResourceMetadata {
  /** The document of RFC 9728. */
  describe(request: Request): object;
  /**
   * Completes the refusal of a request or of a call by the address of the metadata and the scopes.
   * @param operations Those that the caller may have wanted.
   * @returns undefined where a new token would change nothing.
   */
  complete(refusal: Refusal, request: Request, operations: readonly Operation[]): Challenge | undefined;
}

export interface Refusal {
  readonly status: number;
  /** `WWW-Authenticate` */
  readonly challenge: string | undefined;
}

/**
 * Creates the metadata of a contract with schemes of OAuth 2.0 or OpenID Connect.
 * @param operations Those of the tools.
 * @returns undefined where none of the operations has such a scheme.
 * @see https://www.rfc-editor.org/rfc/rfc9728
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function createResourceMetadata(
  { securitySchemes }: Contract,
  operations: readonly Operation[],
  authorizationServers?: readonly string[],
): ResourceMetadata | undefined {
  const used = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)));
  const schemes = securitySchemes.filter(
    ({ name, credential: { kind } }) => used.has(name) && (kind === "oauth2" || kind === "openIdConnect"),
  );
  if (schemes.length === 0) return undefined;
  const names = new Set(schemes.map(({ name }) => name));
  const servers = authorizationServers ?? [...new Set(schemes.flatMap(listIssuers))];
  const listScopes = (of: readonly Operation[]) => [
    ...new Set(
      of.flatMap(({ security }) =>
        security.flatMap((one) => Object.entries(one).flatMap(([name, own]) => (names.has(name) ? own : []))),
      ),
    ),
  ];
  const toResource = ({ protocol, baseUrl, headers }: Request) =>
    `${protocol}://${headers.host ?? "localhost"}${baseUrl}`;
  return {
    describe: (request) => ({
      resource: toResource(request),
      authorization_servers: servers,
      scopes_supported: listScopes(operations),
      bearer_methods_supported: ["header"],
    }),
    complete({ status, challenge = "" }, request, wanted) {
      const isOfScheme = wanted.some(({ security }) =>
        security.some((one) => Object.keys(one).some((name) => names.has(name))),
      );
      const needsToken = status === 401 || (status === 403 && challenge.includes("insufficient_scope"));
      if (!isOfScheme || !needsToken || !/\bBearer\b/i.test(challenge)) return undefined;
      const scopes = listScopes(wanted);
      const added = [
        `resource_metadata="${toResource(request)}${METADATA_PATH}"`,
        ...(scopes.length > 0 && !/\bscope=/.test(challenge) ? [`scope="${scopes.join(" ")}"`] : []),
      ].join(", ");
      // The parameters of other schemes may follow those of this one.
      const completed = challenge.replace(/\bBearer\b *(?=(\w+ *=)?)/i, (_, next?: string) =>
        next === undefined ? `Bearer ${added}` : `Bearer ${added}, `,
      );
      return { "WWW-Authenticate": completed };
    },
  };
}

/** Creates the refusal of a call, with the status of the response of the operation itself. */
export function createRefusal(status: number, headers: Challenge): HttpError {
  return HttpError.refusal(status === 401 ? "unauthorized" : "forbidden", { headers });
}

/**
 * Lists the issuers of a scheme: where the contract names their metadata, and otherwise the origins of its flows.
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3
 */
function listIssuers({
  openIdConnectUrl,
  oauth2MetadataUrl,
  flows,
}: Contract["securitySchemes"][number]): readonly string[] {
  const metadata = openIdConnectUrl ?? oauth2MetadataUrl;
  if (metadata !== undefined)
    return [metadata.replace(/\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/, "")];
  return flows.flatMap(({ tokenUrl, authorizationUrl }) => {
    const url = tokenUrl ?? authorizationUrl ?? "";
    return URL.canParse(url) ? [new URL(url).origin] : [];
  });
}
