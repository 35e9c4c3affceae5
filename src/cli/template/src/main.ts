import type { AddressInfo } from "node:net";
import { createHttpServer } from "tenon/runtime";
import { createApp, toErrorBody } from "./app.ts";

/** A public key, for your own machine only. */
const DEVELOPMENT_KEY = "development";

/** Maximum time for requests in progress to finish at shutdown, in milliseconds. */
const GRACE_MS = 10_000;

const { ALLOW_DEVELOPMENT_KEY, API_KEY, HOST = "127.0.0.1", NODE_ENV, PORT = "3000" } = process.env;
if (API_KEY === undefined && NODE_ENV === "production")
  refuse("Set API_KEY to a secret that your callers know.");
if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535)
  refuse(`PORT must be a number from 0 to 65535, found ${JSON.stringify(PORT)}.`);
const apiKey = API_KEY ?? DEVELOPMENT_KEY;
const isDevelopment = apiKey === DEVELOPMENT_KEY;
if (isDevelopment && ALLOW_DEVELOPMENT_KEY !== "1" && !/^(localhost|127(\.\d+){3}|::1)$/.test(HOST))
  refuse(
    `Set API_KEY: other machines can reach HOST ${HOST}, and the development key is public. ALLOW_DEVELOPMENT_KEY=1 starts anyway.`,
  );

const server = createHttpServer(createApp({ apiKey, ...(isDevelopment && { localHost: HOST }) }), {
  errorBody: toErrorBody,
});
server.on("error", (error) => {
  refuse(`${error.message}: set HOST and PORT`);
});
server.listen(Number(PORT), HOST, () => {
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  console.log(`Docs: ${url}/docs`);
  if (isDevelopment) console.log(`Try it: curl -H "Authorization: Bearer ${apiKey}" ${url}/v1/notes`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Under npm, Ctrl-C arrives twice.
  process.on(signal, () => {
    server.close();
    server.closeIdleConnections();
    setTimeout(() => {
      server.closeAllConnections();
    }, GRACE_MS).unref();
  });
}

/** Prints the start-up error and exits. */
function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}
