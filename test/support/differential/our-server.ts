import type { RequestListener } from "node:http";
import type { Node } from "tenon/core/document";
import { buildContract } from "tenon/core/model";
import type { ComparedContract } from "./contracts.js";
import { KEY } from "./draft.js";
import { answerNotFound, createApp, toHeaders } from "./seen.js";

/** The generated server of a contract, whose handlers answer with what they were given. */
export function createOurServer({ server, document }: ComparedContract): RequestListener {
  const { createPartialApi } = server;
  const { operations } = buildContract(document as unknown as Node);
  const handlers = operations
    .filter(({ stub }) => !stub)
    .map(({ id, parameters, requestBody }) => {
      // Where several media types may arrive, the body says which it is beside its value.
      const isUnion = (requestBody?.mediaTypes.length ?? 0) > 1;
      const handle = (request: Given, reply: Replies) =>
        reply.raw((response) => {
          const { path, query } = request;
          const body = isUnion ? (request.body as { value: unknown } | undefined)?.value : request.body;
          response.setHeader("content-type", "application/json");
          response.end(
            JSON.stringify({ path, query, headers: toHeaders(parameters, request.headers), body }),
          );
        });
      return [id, handle] as const;
    });
  const schemes = Object.keys(document.components?.securitySchemes ?? {});
  const api = createPartialApi({
    handlers: Object.fromEntries(handlers),
    unimplemented: "501",
    responseValidation: "off",
    authenticators: Object.fromEntries(
      schemes.map((name) => [name, (key: unknown) => (key === KEY ? key : undefined)]),
    ),
    context: () => ({}),
    errorBody: ({ code, message }) => ({ code, message }),
    onFailure: () => undefined,
  });
  return createApp().use(api).use(answerNotFound) as RequestListener;
}

type Given = Readonly<Record<"path" | "query" | "headers" | "body", unknown>>;

interface Replies {
  raw(
    send: (response: { setHeader(name: string, value: string): void; end(text: string): void }) => void,
  ): unknown;
}
