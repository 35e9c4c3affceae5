import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import express from "express";
import type { ContractRouter, ErrorOptions, OperationDescriptor, PartialApiOptions } from "tenon/runtime";
import { buildContract } from "../../src/tenon/core/model/index.js";
import { close, listen, send } from "./http.js";

/** What a generated server.ts exports. */
export interface GeneratedServer {
  readonly basePath: string;
  readonly contractUrl: URL;
  readonly operations: readonly OperationDescriptor[];
  readonly createPartialApi: (
    options: PartialApiOptions<object, object, object> & ErrorOptions,
  ) => ContractRouter;
}

export interface Answered {
  readonly operation: OperationDescriptor;
  readonly status: number;
  /** Whether it is what an operation without a handler may answer. */
  readonly expected: boolean;
}

interface Scheme {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
  readonly $ref?: string;
}

type Schemes = Readonly<Record<string, Scheme | undefined>>;

/**
 * Starts a generated server of which nothing is implemented, and calls each operation once, over HTTP, with credentials, with
 * 1 as every path parameter, and without body and query. It is 501, or 400 where something is required or must not be 1.
 */
export async function answerAll(generated: GeneratedServer): Promise<readonly Answered[]> {
  const { basePath, contractUrl, operations, createPartialApi } = generated;
  const document = JSON.parse(readFileSync(contractUrl, "utf8")) as {
    readonly components?: { readonly securitySchemes?: Schemes };
  };
  const { components = {} } = document;
  const contract = buildContract(document);
  const own = new Map(contract.operations.map(({ id, basePaths }) => [id, basePaths?.[0]]));
  const schemes = components.securitySchemes ?? {};
  const api = createPartialApi({
    handlers: {},
    unimplemented: "501",
    authenticators: Object.fromEntries(Object.keys(schemes).map((name) => [name, () => "somebody"])),
    context: () => ({}),
    errorBody: ({ status }) => ({ status }),
  });
  const server = createServer(express().use(api) as RequestListener);
  const port = await listen(server);
  try {
    const answers: Answered[] = [];
    for (const operation of operations) {
      const path = encodeURI(operation.path.replace(/\{[^{}]*\}/g, "1")).replace(/[?#]/g, encodeURIComponent);
      const { query, headers, possible } = toCredentials(operation, schemes);
      const method = operation.method.toUpperCase();
      const { status } = await send(port, `${own.get(operation.id) ?? basePath}${path}${query}`, {
        method,
        headers,
      });
      const gone = status === 410 && operation.deprecated === true;
      const expected = status === 501 || status === 400 || gone || (status === 401 && !possible);
      answers.push({ operation, status, expected });
    }
    return answers;
  } finally {
    await close(server);
  }
}

/** What satisfies the first alternative; not possible without TLS, in a header that there cannot be, or where two schemes want `Authorization` at once. */
function toCredentials({ security: [requirement = {}] }: OperationDescriptor, schemes: Schemes) {
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  let authorizations = 0;
  let possible = true;
  for (const name of Object.keys(requirement)) {
    const scheme = follow(schemes[name], schemes);
    if (scheme?.type === "mutualTLS") possible = false;
    else if (scheme?.type !== "apiKey") {
      const kind = scheme?.type === "http" ? (scheme.scheme ?? "") : "Bearer";
      headers["Authorization"] = `${kind} ${Buffer.from("user:password").toString("base64")}`;
      authorizations += 1;
    } else if (scheme.in === "header" && /[^!-~]/.test(scheme.name ?? "")) possible = false;
    else if (scheme.in === "query") query.set(scheme.name ?? "", "key");
    else if (scheme.in === "cookie")
      headers["Cookie"] = `${headers["Cookie"] ?? ""};${scheme.name ?? ""}=key`;
    else {
      headers[scheme.name ?? ""] = "key";
      if (scheme.name?.toLowerCase() === "authorization") authorizations += 1;
    }
  }
  return {
    headers,
    query: query.size > 0 ? `?${query.toString()}` : "",
    possible: possible && authorizations < 2,
  };
}

function follow(scheme: Scheme | undefined, schemes: Schemes): Scheme | undefined {
  return scheme?.$ref === undefined ? scheme : follow(schemes[scheme.$ref.split("/").at(-1) ?? ""], schemes);
}
