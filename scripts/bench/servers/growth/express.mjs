import express from "express";
import { announce } from "../shared/announce.mjs";
import { contract, LIMIT } from "./contract.mjs";

const app = express();
app.disable("x-powered-by");
app.disable("etag");
for (const path of Object.keys(contract.paths)) {
  app.get(`/v1${path.replace("{id}", ":id")}`, (request, response) => {
    const id = Number(request.params.id);
    const limit = Number(request.query.limit ?? LIMIT.default);
    const isValid =
      Number.isInteger(id) && Number.isInteger(limit) && limit >= LIMIT.minimum && limit <= LIMIT.maximum;
    if (isValid) response.json({ id, limit });
    else response.status(400).json({ code: "invalid_parameter" });
  });
}
const server = app.listen(0, "127.0.0.1", () => announce(server));
