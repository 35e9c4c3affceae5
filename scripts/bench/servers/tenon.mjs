// The Pet Store Service: with a database and a log its own entry, else the same parts on the store that is given.
if (process.env.DATABASE_URL !== undefined && process.env.LOG_LEVEL !== "silent") {
  await import("../../../dist/src/petstore/main.js");
} else {
  const { RESPONSE_HEADERS, createApp } = await import("../../../dist/src/petstore/app.js");
  const { toErrorBody } = await import("../../../dist/src/petstore/errors.js");
  const { createHttpServer } = await import("tenon/runtime");
  const { announce, BODY_LIMIT, keys, logger, store } = await import("./shared/service.mjs");
  const config = {
    responseValidation: "report",
    responseSampling: 100,
    bodyLimitBytes: BODY_LIMIT,
    maxInFlight: 1_000,
    rateLimit: "off",
    failedAuthLimit: "off",
    trustedProxies: 0,
  };
  const app = createApp({ config, store, keys, logger, readiness: { draining: false } });
  const server = createHttpServer(app, {
    errorBody: toErrorBody,
    headers: RESPONSE_HEADERS,
    overload: { maxEventLoopDelay: Number(process.env.MAX_EVENT_LOOP_DELAY_MS ?? 100) },
  });
  server.listen(0, "127.0.0.1", () => announce(server));
}
