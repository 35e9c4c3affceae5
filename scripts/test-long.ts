/** Runs a test that takes minutes or more, or that needs packages of its own: `npm run test:long -- NAME [options]`. */
import { runNamed } from "./run-named.js";

await runNamed({
  usage: "npm run test:long --",
  modules: {
    differential: () => import("./differential.js"),
    faults: () => import("./faults.js"),
    "large-bodies": () => import("./large-bodies.js"),
    "mcp-contracts": () => import("./mcp-contracts.js"),
    "mcp-conformance": () => import("./mcp-conformance.js"),
    "migrated-clients": () => import("./migrated-clients.js"),
    mutations: () => import("./mutations.js"),
    streams: () => import("./streams.js"),
    torture: () => import("./torture.js"),
    traces: () => import("./traces.js"),
    "worst-inputs": () => import("./worst-inputs.js"),
  },
});
