import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchDocument } from "./documents.js";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

/** Serves a contract whose handlers are not written, to anybody. */
const MAIN = `import { readFileSync } from "node:fs";
import express from "express";
import { createHttpServer } from "tenon/runtime";
import { contractUrl, createPartialApi } from "../generated/server.js";
import { handlers } from "./handlers/index.js";

const contract = JSON.parse(readFileSync(contractUrl, "utf8")) as { components?: { securitySchemes?: object } };
const schemes = Object.keys(contract.components?.securitySchemes ?? {});
const errorBody = (problem: object): object => problem;
const app = express();
app.use(
  createPartialApi({
    handlers,
    unimplemented: "501",
    errorBody: errorBody as never,
    authenticators: Object.fromEntries(schemes.map((scheme) => [scheme, () => ({})])) as never,
    context: () => ({}),
  }),
);
const server = createHttpServer(app, { errorBody }).listen(0, "127.0.0.1");
process.once("SIGTERM", () => server.close());
`;

const TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023"],
    module: "NodeNext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src", "generated"],
};

/**
 * Makes a project of a contract in a temporary folder, without generated files and handlers, and with this repository's
 * packages.
 * @returns Absolute path.
 */
export function createDevProject({ file }: BenchDocument): string {
  const project = mkdtempSync(join(tmpdir(), "tenon-bench-dev-"));
  const write = (name: string, text: string) => {
    writeFileSync(join(project, name), text);
  };
  for (const folder of ["src", "node_modules/@tenon"]) mkdirSync(join(project, folder), { recursive: true });
  copyFileSync(file, join(project, basename(file)));
  const tenon = "{ output: generated, handlers: src/handlers, main: src/main.ts }";
  write(
    "redocly.yaml",
    `telemetry: off\napis: { v1: { root: ${basename(file)}, x-tenon: ${tenon} } }\nextends: [minimal]\n`,
  );
  write("package.json", JSON.stringify({ type: "module" }));
  write("tsconfig.json", JSON.stringify(TSCONFIG));
  write("src/main.ts", MAIN);
  for (const name of ["tenon", "@tenon/cli", "express", "tsx", "typescript", "@types"])
    symlinkSync(join(REPOSITORY, "node_modules", name), join(project, "node_modules", name));
  return project;
}
