// Sends events in three ways, at /hand, /sampled and /full: written by hand, and by Tenon with validation of one in 100 items or of all.
// The query has their number and, as `live`, 1 if each is made in a turn of its own, or the milliseconds between them.
import { once } from "node:events";
import process from "node:process";
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import express from "express";
import { buildContract } from "tenon/core/model";
import { createHttpServer, createRouter } from "tenon/runtime";

const CHANGE = {
  type: "object",
  required: ["number", "name", "status", "tags"],
  properties: {
    number: { type: "integer", minimum: 1 },
    name: { type: "string", minLength: 1, maxLength: 64 },
    status: { enum: ["available", "pending", "sold"] },
    tags: { type: "array", maxItems: 8, items: { type: "string" } },
    owner: { type: ["object", "null"], properties: { id: { type: "integer" }, email: { type: "string" } } },
  },
};
const EVENT = {
  type: "object",
  required: ["event", "id", "data"],
  properties: {
    event: { const: "change" },
    id: { type: "string" },
    data: { type: "string", contentMediaType: "application/json", contentSchema: CHANGE },
  },
};
const parameters = ["count", "live"].map((name) => ({
  name,
  in: "query",
  required: true,
  schema: { type: "integer" },
}));
const content = { "text/event-stream": { "x-itemSchema": EVENT } };
const contract = buildContract({
  openapi: "3.1.0",
  info: { title: "Changes", version: "1.0.0" },
  paths: Object.fromEntries(
    ["sampled", "full"].map((name) => [
      `/${name}`,
      { get: { operationId: name, parameters, responses: { 200: { description: "Changes.", content } } } },
    ]),
  ),
});

async function* follow(count, live) {
  for (let number = 1; number <= count; number += 1) {
    if (live === 1) await nextTurn();
    if (live > 1) await setTimeout(live);
    yield {
      number,
      name: `Pet number ${number}`,
      status: "available",
      tags: ["small", "brown", "vaccinated"],
      owner: { id: number % 1_000, email: `owner${number % 1_000}@example.com` },
    };
  }
}

async function* toEvents(changes) {
  for await (const data of changes) yield { event: "change", id: String(data.number), data };
}

const errors = { errorBody: ({ code }) => ({ code }) };
const createApi = (name, itemSampling) =>
  createRouter(contract, {
    ...errors,
    handlers: {
      [name]: ({ query: { count, live } }, reply) => reply[200](toEvents(follow(count, live))),
    },
    unimplemented: "next",
    responseValidation: "report",
    itemSampling,
  });

const app = express();
app.get("/hand", async (request, response) => {
  response.setHeader("Content-Type", "text/event-stream");
  const { count, live } = request.query;
  for await (const { event, id, data } of toEvents(follow(Number(count), Number(live))))
    if (!response.write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`))
      await once(response, "drain");
  response.end();
});
app.use(createApi("sampled", 100));
app.use(createApi("full", 1));
const server = createHttpServer(app, errors).listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
});
