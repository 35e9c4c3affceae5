/**
 * Runs a benchmark: `npm run bench -- [NAME] [options]`. Each module states its own options, and the page that it writes. Without a
 * name, it is the benchmark of the Pet Store Service.
 */
import { runNamed } from "./run-named.js";

await runNamed({
  usage: "npm run bench --",
  fallback: () => import("./bench-service.js"),
  modules: {
    "client-size": () => import("./bench-client-size.js"),
    dev: () => import("./bench-dev.js"),
    docs: () => import("./bench-docs.js"),
    "docs-others": () => import("./bench-docs-others.js"),
    generate: () => import("./bench-generate.js"),
    latency: () => import("./bench-latency.js"),
    overload: () => import("./bench-overload.js"),
    soak: () => import("./soak.js"),
    store: () => import("./bench-store.js"),
    streams: () => import("./bench-streams.js"),
    "without-sockets": () => import("./bench-without-sockets.js"),
    workers: () => import("./bench-workers.js"),
  },
});
