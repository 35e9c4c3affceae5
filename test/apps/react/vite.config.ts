import { defaultClientConditions, defaultServerConditions, defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  logLevel: "warn",
  // The repository's own sources: an app that installs `tenon` has no such line.
  resolve: { conditions: ["tenon-source", ...defaultClientConditions] },
  ssr: { noExternal: ["tenon"], resolve: { conditions: ["tenon-source", ...defaultServerConditions] } },
});
