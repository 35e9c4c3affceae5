// @thorough: verifies a server for each mistake.
import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { verifyServer } from "./run.js";

const ETag = { required: true, schema: { type: "string" } };
const json = (schema: object) => ({ "application/json": { schema } });
const note = { $ref: "#/components/schemas/Note" };
const failures = Object.fromEntries(
  ["400", "404", "412", "428"].map((status) => [status, { description: "Refused." }]),
);
const header = (name: string, required = false) => ({
  name,
  in: "header",
  required,
  schema: { type: "string" },
});
const body = { required: true, content: json(note) };
const read = { "200": { description: "It.", headers: { ETag }, content: json(note) }, ...failures };

const contract = toContract({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  components: {
    schemas: {
      Note: {
        type: "object",
        required: ["text"],
        properties: {
          id: { type: "integer", minimum: 1, readOnly: true },
          text: { type: "string", minLength: 1, maxLength: 9 },
        },
      },
    },
  },
  paths: {
    "/notes": {
      get: {
        operationId: "list",
        responses: { "200": { description: "All.", content: json({ type: "array", items: note }) } },
      },
      post: {
        operationId: "create",
        requestBody: body,
        responses: { "201": { description: "It.", content: json(note) }, "400": { description: "Refused." } },
      },
    },
    "/notes/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } }],
      get: {
        operationId: "read",
        parameters: [header("If-None-Match")],
        responses: { ...read, "304": { description: "Unchanged." } },
      },
      put: { operationId: "replace", parameters: [header("if-match")], requestBody: body, responses: read },
      delete: {
        operationId: "remove",
        parameters: [header("If-Match", true)],
        responses: { "204": { description: "Gone." }, ...failures },
      },
    },
    "/notes/{id}/archive": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } }],
      post: {
        operationId: "archive",
        parameters: [header("If-Match")],
        responses: { "204": { description: "Done." }, ...failures },
      },
    },
  },
});

type Fault = "stores no PUT" | "accepts any text" | "compares with another tag";

/** Serves the contract with one revision a note. Changes need the current one. */
function createNotes(fault?: Fault): Server {
  const notes = new Map<number, { id: number; text: unknown; revision: number }>();
  let last = 0;
  const respond = async (request: IncomingMessage): Promise<[number, unknown?, string?]> => {
    const { method = "", url = "", headers } = request;
    const given = JSON.parse((await text(request).catch(() => "")) || "null") as { text?: unknown } | null;
    const [, key = "", action] = /^\/notes\/([^/?]+)(\/archive)?$/.exec(url) ?? [];
    const isText = typeof given?.text === "string" && given.text !== "" && Array.from(given.text).length <= 9;
    const isJson = headers["content-type"]?.startsWith("application/json") === true;
    const isRight = (isText && isJson) || fault === "accepts any text";
    if (url === "/notes") {
      if (method === "GET") return [200, [...notes.values()].map(({ id, text }) => ({ id, text }))];
      if (method !== "POST") return [405, undefined, "GET, POST"];
      if (!isText || !isJson) return [400];
      const id = (last += 1);
      notes.set(id, { id, text: given.text, revision: 1 });
      return [201, { id, text: given.text }];
    }
    const methods = action === undefined ? ["GET", "PUT", "DELETE"] : ["POST"];
    if (!methods.includes(method)) return [405, undefined, methods.join(", ")];
    if (!/^[1-9]\d*$/.test(key)) return [400];
    const one = notes.get(Number(key));
    if (one === undefined) return [404];
    const tag = `"${one.revision}"`;
    const show = () => ({ id: one.id, text: one.text });
    if (method === "GET") return headers["if-none-match"] === tag ? [304] : [200, show(), tag];
    if (headers["if-match"] === undefined) return [method === "DELETE" ? 400 : 428];
    if (headers["if-match"] !== (fault === "compares with another tag" ? "other" : tag)) return [412];
    if (method === "DELETE") return notes.delete(one.id) ? [204] : [404];
    if (method === "PUT" && !isRight) return [400];
    one.revision += 1;
    if (method === "POST") return [204];
    if (fault !== "stores no PUT") one.text = given?.text;
    return [200, { ...show(), text: given?.text ?? "" }, `"${one.revision}"`];
  };
  return createServer((request, response) => {
    respond(request).then(
      ([status, sent, header]) => {
        if (header !== undefined) response.setHeader(status === 405 ? "Allow" : "ETag", header);
        if (sent !== undefined) response.setHeader("Content-Type", "application/json");
        response.writeHead(status).end(sent === undefined ? undefined : JSON.stringify(sent));
      },
      // The body is not JSON.
      () => response.writeHead(400).end(),
    );
  });
}

test("changes succeed with the tag of what they change, and a read with its tag gets 304", async () => {
  const { failures, operations, unreached, notes } = await verifyServer(contract, createNotes());
  expect({ failures, unreached, notes }).toEqual({ failures: [], unreached: [], notes: [] });
  const statuses = Object.fromEntries(operations.map((one) => [one.id, Object.keys(one.statuses)]));
  expect(statuses["read"]).toEqual(expect.arrayContaining(["200", "304"]));
  expect(statuses["replace"]).toEqual(expect.arrayContaining(["200", "400", "428"]));
  expect(statuses["remove"]).toContain("204");
  expect(statuses["archive"]).toContain("204");
});

test.each([
  ["stores no PUT", "replaced"],
  ["accepts any text", "refused"],
] as const)("a service that %s behind the comparison of tags is reported, as %s", async (fault, check) => {
  const { failures } = await verifyServer(contract, createNotes(fault));
  expect([...new Set(failures.map((failure) => failure.check))]).toEqual([check]);
  expect(failures[0]?.curl.join("\n")).toMatch(/-X PUT .*-H 'if-match: "\d+"'/);
});

test("operations that refuse every tag never succeed", async () => {
  const { unreached, notes } = await verifyServer(contract, createNotes("compares with another tag"));
  expect([...unreached].sort()).toEqual(["archive", "remove", "replace"]);
  expect(notes).toContainEqual(
    expect.stringMatching(/^archive \(POST .*\) never succeeded; its responses were /),
  );
});
