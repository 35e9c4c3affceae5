import { createHash } from "node:crypto";
import express, { type Express } from "express";

/** The client that the server knows. */
export const CLIENT = { id: "docs", secret: "s3cr:et & more" };

interface Given {
  readonly redirect: string;
  readonly challenge: string;
  readonly scope: string;
}

/**
 * Creates a small authorization server (RFC 6749 with RFC 7636): everybody is logged in at once. A token is its scopes.
 * @param requests Gets the form of each request for a token.
 * @param seconds How long a token is valid.
 */
export function createAuthorizationServer(
  requests: Readonly<Record<string, string>>[],
  seconds = 60,
): Express {
  const app = express();
  const codes = new Map<string, Given>();
  const refreshed = new Map<string, string>();
  app.get("/authorize", (request, response) => {
    const query = new URL(request.url, "http://localhost").searchParams;
    const get = (name: string) => query.get(name) ?? "";
    const [redirect, state] = [get("redirect_uri"), get("state")];
    const isKnown = get("client_id") === CLIENT.id && get("response_type") === "code";
    if (!isKnown || get("code_challenge_method") !== "S256") {
      response.redirect(`${redirect}?error=invalid_request&state=${state}`);
      return;
    }
    const code = `code-${codes.size}`;
    codes.set(code, { redirect, challenge: get("code_challenge"), scope: get("scope") });
    response.redirect(`${redirect}?code=${code}&state=${state}`);
  });
  app.use("/token", (_, response, next) => {
    response.set("Access-Control-Allow-Origin", "*").set("Access-Control-Allow-Headers", "authorization");
    next();
  });
  app.options("/token", (_, response) => {
    response.end();
  });
  app.post("/token", express.urlencoded(), ({ body, headers }, response) => {
    const form = body as Readonly<Record<string, string>>;
    requests.push(form);
    const redeemers: Readonly<Record<string, () => string | undefined>> = {
      client_credentials: () => readScope(form, headers.authorization),
      refresh_token: () => refreshed.get(form["refresh_token"] ?? ""),
    };
    const scope = (redeemers[form["grant_type"] ?? ""] ?? (() => redeem(form)))();
    if (scope === undefined) {
      response.status(400).json({ error: "invalid_grant", error_description: "It is wrong" });
      return;
    }
    const refresh = `refresh-${requests.length}`;
    refreshed.clear();
    refreshed.set(refresh, scope);
    const token = `token for ${scope}${requests.length > 1 ? ` ${requests.length}` : ""}`;
    response.json({
      ...{ access_token: token, token_type: "Bearer", expires_in: seconds },
      ...(form["grant_type"] !== "client_credentials" && { refresh_token: refresh }),
    });
  });
  return app;

  function redeem({
    code = "",
    redirect_uri: redirect,
    code_verifier: verifier = "",
  }: (typeof requests)[number]) {
    const given = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    return given?.redirect === redirect && given?.challenge === challenge ? given.scope : undefined;
  }
}

function readScope({ scope }: Readonly<Record<string, string>>, authorization = "") {
  const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  const pair = `${encode(CLIENT.id)}:${encode(CLIENT.secret)}`;
  return authorization === `Basic ${Buffer.from(pair).toString("base64")}` ? scope : undefined;
}

/** A contract whose operation needs a token of the server at an origin, for reading. */
export function createGuarded(origin: string) {
  const scopes = { read: "Reads", write: "Writes" };
  const tokenUrl = `${origin}/token`;
  return {
    openapi: "3.1.0",
    info: { title: "Guarded", version: "1" },
    security: [{ login: ["read"] }],
    paths: {
      "/me": {
        get: {
          operationId: "me",
          parameters: [{ name: "note", in: "query", schema: { type: "string" } }],
          responses: { 200: { description: "The token." } },
        },
      },
    },
    components: {
      securitySchemes: {
        login: {
          type: "oauth2",
          flows: {
            authorizationCode: { authorizationUrl: `${origin}/authorize`, tokenUrl, scopes },
            clientCredentials: { tokenUrl, scopes },
          },
        },
      },
    },
  };
}
