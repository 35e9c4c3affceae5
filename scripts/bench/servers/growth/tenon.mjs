// A generated server. Handlers are those of the grown contract; a given document's operations answer 501.
import { readFileSync } from "node:fs";
import express from "express";
import { createHttpServer } from "tenon/runtime";
import { announce } from "../shared/announce.mjs";

const { contractUrl, createPartialApi, operations } = await import(process.env.BENCH_GENERATED);
const { components = {} } = JSON.parse(readFileSync(contractUrl, "utf8"));
const errorBody = (problem) => problem;
const answer = ({ path: { id }, query: { limit } }, reply) => reply[200]({ id, limit });
const handlers =
  process.env.BENCH_CONTRACT === undefined
    ? {}
    : Object.fromEntries(operations.map(({ id }) => [id, answer]));

const app = express();
app.use(
  createPartialApi({
    errorBody,
    handlers,
    unimplemented: "501",
    authenticators: Object.fromEntries(
      Object.keys(components.securitySchemes ?? {}).map((name) => [name, () => ({})]),
    ),
    context: () => ({}),
    responseValidation: "report",
    responseSampling: 100,
  }),
);
const server = createHttpServer(app, { errorBody });
server.listen(0, "127.0.0.1", () => announce(server));
