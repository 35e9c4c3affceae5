import Fastify from "fastify";
import { announce } from "../shared/announce.mjs";
import { contract, LIMIT } from "./contract.mjs";

const app = Fastify();
for (const path of Object.keys(contract.paths)) {
  app.get(`/v1${path.replace("{id}", ":id")}`, {
    schema: {
      params: { type: "object", properties: { id: { type: "integer" } } },
      querystring: { type: "object", properties: { limit: { type: "integer", ...LIMIT } } },
      response: {
        200: { type: "object", properties: { id: { type: "integer" }, limit: { type: "integer" } } },
      },
    },
    handler: async ({ params: { id }, query: { limit } }) => ({ id, limit }),
  });
}
await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server);
