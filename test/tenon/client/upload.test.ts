import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import { type ClientContract, createBareContractClient, defineCall, fetchWithProgress } from "tenon/client";
import { GENERATED_VERSION } from "tenon/core/version";
import { close, listen } from "../../support/http.js";

interface PutFile {
  parameters: object;
  requestBody: { content: { "application/octet-stream": Blob } };
  responses: { 200: { content: { "text/plain": string } } };
}

const putFile = defineCall<PutFile, "put">({
  id: "putFile",
  method: "put",
  path: "/file",
  responses: [[200, "text/plain"]],
  mediaTypes: ["application/octet-stream"],
});
const contract: ClientContract = {
  tenon: GENERATED_VERSION,
  securitySchemes: { key: { in: "header", name: "X-Api-Key" } },
  security: [["key"]],
};

test("the fetch of a call counts the bytes of each attempt, where there is no XMLHttpRequest", async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    let size = 0;
    requests += 1;
    const status = requests === 1 ? 503 : 200;
    request.on("data", (chunk: Buffer) => (size += chunk.length));
    request.on("end", () => response.writeHead(status, { "Content-Type": "text/plain" }).end(`${size}`));
  });
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  try {
    const client = createBareContractClient(contract, { baseUrl, apiKey: "key", retry: { delay: 0 } });
    const seen: { sent: number; total: number }[] = [];
    const body = new Blob([new Uint8Array(300_000)]);
    const fetch = fetchWithProgress((progress) => seen.push(progress));
    expect(await putFile(client, { body, fetch }).orThrow()).toBe("300000");
    expect(new Set(seen.map(({ total }) => total))).toEqual(new Set([300_000]));
    expect(seen.filter(({ sent }) => sent === 300_000)).toHaveLength(2);
    expect(seen[0]?.sent).toBeLessThan(300_000);
  } finally {
    await close(server);
  }
});

test("in a browser, a key that redirects must not take along is not sent", async () => {
  const page = globalThis as { XMLHttpRequest?: unknown };
  const opened: unknown[] = [];
  page.XMLHttpRequest = class {
    readonly open = (method: string) => void opened.push(method);
  };
  try {
    const client = createBareContractClient(contract, { baseUrl: "https://x.example", apiKey: "key" });
    const call = putFile(client, {
      body: new Blob(["x"]),
      fetch: fetchWithProgress(() => undefined),
      retry: false,
    });
    await expect(call).rejects.toThrow("XMLHttpRequest cannot reject redirects");
    expect(opened).toEqual([]);
  } finally {
    delete page.XMLHttpRequest;
  }
});
