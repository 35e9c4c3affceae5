import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import express, { type Express } from "express";
import type { DocumentedContract } from "../../src/cli/docs/index.js";
import { createOwnDocs } from "./own-docs.js";

/** A docs page of some make. */
export interface DocsSite {
  readonly name: string;
  /**
   * An app that has the page of a contract at `/`.
   * @param policy Sent with the page, in place of what it would send itself; undefined leaves it alone.
   */
  readonly createApp: (contract: string, policy?: string) => Express | Promise<Express>;
}

/** A page as the package's own README puts it on a host, with its files beside it. */
interface Packaged {
  readonly name: string;
  readonly package: string;
  /** In the package. */
  readonly folder: string;
  readonly head: string;
  readonly body: string;
  readonly start: string;
}

const PACKAGED: readonly Packaged[] = [
  {
    name: "Scalar 1.72.1",
    package: "@scalar/api-reference@1.72.1",
    folder: "dist/browser",
    head: "",
    body: '<div id="app"></div><script src="standalone.js"></script><script src="start.js"></script>',
    start: 'Scalar.createApiReference("#app", { url: "openapi.json" });',
  },
  {
    name: "Swagger UI 5.35.0",
    package: "swagger-ui-dist@5.35.0",
    folder: "",
    head: '<link rel="stylesheet" href="swagger-ui.css">',
    body: '<div id="app"></div><script src="swagger-ui-bundle.js"></script><script src="start.js"></script>',
    start: 'SwaggerUIBundle({ url: "openapi.json", dom_id: "#app", deepLinking: true, validatorUrl: null });',
  },
  {
    name: "Redoc 3.0.1",
    package: "redoc@3.0.1",
    folder: "bundles",
    head: "",
    body: '<redoc spec-url="openapi.json"></redoc><script type="module" src="redoc.standalone.js"></script>',
    start: "",
  },
];

/** @param folder Where the packages are, or go to. */
export function createDocsSites(folder: string): readonly DocsSite[] {
  return [
    { name: "Tenon", createApp: createOwnApp },
    ...PACKAGED.map((site) => {
      const files = join(unpack(folder, site.package), site.folder);
      return {
        name: site.name,
        createApp: (contract: string, policy?: string) =>
          createPackagedApp(site, { files, contract, policy }),
      };
    }),
  ];
}

/** Its policy is its own, and stricter than any that is given. */
async function createOwnApp(contract: string): Promise<Express> {
  return express().use(await createOwnDocs(JSON.parse(contract) as DocumentedContract));
}

function createPackagedApp(
  { head, body, start }: Packaged,
  options: { readonly files: string; readonly contract: string; readonly policy: string | undefined },
): Express {
  const { files, contract, policy } = options;
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Docs</title>${head}</head><body>${body}</body></html>`;
  const app = express();
  app.use((_, response, next) => {
    if (policy !== undefined) response.setHeader("Content-Security-Policy", policy);
    next();
  });
  app.get("/openapi.json", (_, response) => void response.type("json").send(contract));
  app.get("/start.js", (_, response) => void response.type("js").send(start));
  app.use(express.static(files, { index: false }));
  // Some have the place in the page in the path.
  app.use((_, response) => void response.type("html").send(page));
  return app;
}

/** A package without what it depends on: a browser bundle has all of it within. */
function unpack(folder: string, name: string): string {
  const path = join(folder, name.replaceAll(/[^\w.-]/g, "_"));
  const unpacked = join(path, "package");
  if (existsSync(join(unpacked, "package.json"))) return unpacked;
  process.stderr.write(`Fetching ${name}\n`);
  mkdirSync(path, { recursive: true });
  const shell = process.platform === "win32";
  const packed = spawnSync("npm", ["pack", "--silent", name], { cwd: path, encoding: "utf8", shell });
  const archive = packed.stdout.trim();
  const { status } = spawnSync("tar", ["-xzf", archive], { cwd: path });
  if (packed.status !== 0 || status !== 0) throw new Error(`npm could not fetch ${name}`);
  return unpacked;
}
