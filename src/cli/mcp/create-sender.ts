import type { Contract } from "tenon/core/model";
import type { Send } from "tenon/mcp/internal";
import { createClient, createResponseCheck, type Credentials, writeCredentials } from "../verify/index.js";
import { createRequestCheck } from "./check-request.js";

export interface SenderOptions {
  /** Address that the contract's paths are relative to. No other is called. */
  readonly base: URL;
  readonly credentials: Credentials;
  /** Milliseconds to wait for a response. */
  readonly timeout: number;
}

/** Creates the sender of calls to a service: the contract decides what is sent, and what is said of the response. */
export function createSender(
  contract: Contract,
  { base, credentials, timeout }: SenderOptions,
): { readonly send: Send; readonly close: () => void } {
  const client = createClient(base, timeout, timeout);
  const check = createRequestCheck(contract);
  const findMismatches = createResponseCheck(contract);
  const send: Send = async (tool, request, { signal, watch }) => {
    const problem = await check(tool, request);
    if (problem !== undefined) throw new Error(problem);
    const { operation } = tool;
    const sent = writeCredentials(operation, contract, credentials);
    const toPairs = (of: typeof sent.query) =>
      of.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    const query = toPairs(sent.query).join("&");
    const cookies = toPairs(sent.cookie);
    const own = request.headers.filter(([name]) => name !== "Cookie");
    const allCookies = [
      ...request.headers.filter(([name]) => name === "Cookie").map(([, value]) => value),
      ...cookies,
    ];
    const headers = [
      ...own.map(([name, value]) => ({ name, value, shown: value })),
      ...sent.header,
      ...(allCookies.length > 0 ? [{ name: "Cookie", value: allCookies.join("; "), shown: "" }] : []),
      { name: "Accept", value: "application/json, */*;q=0.5", shown: "" },
    ];
    const { method, target, body } = request;
    const path = query === "" ? target : `${target}${target.includes("?") ? "&" : "?"}${query}`;
    const response = await client.send(
      {
        ...{ method, path, shownPath: target, headers },
        ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      },
      { signal, watch },
    );
    if (response.status === undefined)
      throw new Error(`There is no response of ${base.host}: ${response.message}`);
    const mismatches = await findMismatches(operation, response);
    return { response: { ...response, headers: toHeaders(response.headers), isCut: false }, mismatches };
  };
  return { send, close: client.close };
}

function toHeaders(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}
