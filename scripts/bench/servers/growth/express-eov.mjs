// A given document has no handlers: what is valid is 404.
import { readFileSync } from "node:fs";
import express from "express";
import OpenApiValidator from "express-openapi-validator";
import { announce } from "../shared/announce.mjs";

const { BENCH_CONTRACT, BENCH_DOCUMENT } = process.env;
const apiSpec = JSON.parse(readFileSync(BENCH_CONTRACT ?? BENCH_DOCUMENT, "utf8"));
const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.use(OpenApiValidator.middleware({ apiSpec, validateSecurity: false }));
if (BENCH_CONTRACT !== undefined) {
  for (const path of Object.keys(apiSpec.paths)) {
    app.get(`/v1${path.replace("{id}", ":id")}`, ({ params: { id }, query: { limit } }, response) => {
      response.json({ id, limit });
    });
  }
}
// Express knows an error handler by its four parameters.
// eslint-disable-next-line @typescript-eslint/no-unused-vars
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message });
});
const server = app.listen(0, "127.0.0.1", () => announce(server));
