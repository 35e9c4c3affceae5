import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { verifyServer } from "./run.js";

const inner = { type: "object", required: ["z"], properties: { z: { type: "integer" } } };
const nested = { type: "object", required: ["inner"], properties: { inner } };
const free = { type: "object", properties: { z: { type: "integer" } } };
const inQuery = { in: "query", required: false };

/** Reads the parameters of `deepObject` by hand. */
const isDeep = (query: URLSearchParams, name: string, wanted: RegExp) =>
  [...query].every(
    ([key, value]) => !key.startsWith(`${name}[`) || (wanted.test(key) && /^-?\d+$/.test(value)),
  );

const isJson = (text: string | null) => {
  if (text === null) return true;
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "z" in value && Number.isInteger(value.z);
};

test("a parameter without anything to send is an absent one, except as JSON", async () => {
  const contract = toContract({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: {
      "/a": {
        get: {
          operationId: "getA",
          parameters: [
            { name: "deep", ...inQuery, style: "deepObject", explode: true, schema: inner },
            { name: "nested", ...inQuery, style: "deepObject", explode: true, schema: nested },
            { name: "needed", in: "query", required: true, style: "deepObject", explode: true, schema: free },
            { name: "json", ...inQuery, content: { "application/json": { schema: inner } } },
          ],
          responses: {
            "200": { description: "An object.", content: { "application/json": { schema: {} } } },
            "400": { description: "Bad.", content: { "application/json": { schema: {} } } },
          },
        },
      },
    },
  });
  const json = new Set<string | null>();
  const server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url ?? "", "http://a");
    json.add(query.get("json"));
    const isValid =
      isDeep(query, "deep", /^deep\[z\]$/) &&
      isDeep(query, "nested", /^nested\[inner\]\[z\]$/) &&
      query.has("needed[z]") &&
      isDeep(query, "needed", /^needed\[z\]$/) &&
      isJson(query.get("json"));
    const status = request.method === "GET" ? (isValid ? 200 : 400) : 405;
    response.writeHead(status, { "content-type": "application/json", allow: "GET" }).end("{}");
  });
  const { failures } = await verifyServer(contract, server, { runs: 20 });
  expect(failures.map(({ message, curl }) => `${message} ${curl.join("")}`)).toEqual([]);
  expect(json).toContain("{}");
});
