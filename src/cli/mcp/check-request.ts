import express from "express";
import type { Contract } from "tenon/core/model";
import {
  createInProcessSender,
  explainProblem,
  type Tool,
  type ToolRequest,
  toProblems,
} from "tenon/mcp/internal";
import { createErrorHandler, createRouter, HttpError, type RawReplies } from "tenon/runtime";

/** Status of a request that the contract allows; no service sends it. */
const ALLOWED = 299;

/** Larger bodies are not validated, and so not sent. */
const BODY_LIMIT = 10 * 1024 * 1024;

/**
 * Creates a function that checks requests by the runtime, as the service would if Tenon ran it. Credentials are left to the service.
 * @returns what is wrong, for a model; undefined if the contract allows the request.
 */
export function createRequestCheck(
  contract: Contract,
): (tool: Tool, request: ToolRequest) => Promise<string | undefined> {
  const operations = contract.operations.map((operation) => ({ ...operation, security: [], stub: false }));
  const errors = {
    errorBody: ({ message }: { readonly message: string }) => ({ message }),
    onFailure: () => undefined,
  };
  const api = createRouter(
    { ...contract, operations },
    {
      ...errors,
      handlers: {},
      unimplemented: () => (_request, reply) =>
        (reply as unknown as RawReplies<string>).raw((response) => {
          response.writeHead(ALLOWED).end();
        }),
      authenticators: {},
      bodyLimit: BODY_LIMIT,
      streamLimit: Infinity,
      // An operation may be called until its service says that it is gone.
      now: () => 0,
    },
  );
  const app = express();
  app.use(api);
  app.use(() => {
    throw new HttpError("not_found");
  });
  app.use(createErrorHandler(errors));
  const send = createInProcessSender(app, { maxBody: 100_000, maxTime: 10_000 });
  return async (tool, request) => {
    const { basePaths = [contract.basePath] } = tool.operation;
    const target = `${basePaths[0] ?? ""}${request.target}`;
    const headers = [["Host", "localhost"], ["Accept", "*/*"], ...request.headers] as const;
    const { status, body, violations } = await send(
      { ...request, target, headers },
      undefined,
      AbortSignal.timeout(10_000),
    );
    if (status === ALLOWED) return undefined;
    // Node's HTTP parser refuses them before there is a request.
    if (body.length === 0) return "Nothing was sent. The parameters are too long.";
    const { message } = JSON.parse(new TextDecoder().decode(body)) as { readonly message: string };
    const problems = toProblems(tool, violations).map(explainProblem);
    return [`Nothing was sent. ${message}.`, ...problems].join("\n");
  };
}
