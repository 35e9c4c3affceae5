import { readFileSync } from "node:fs";
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Server,
} from "node:http";
import express, { type Express, type Router } from "express";
import { createDocsSite, type DocumentedContract, type SiteOptions } from "../../../src/cli/docs/index.js";
import { writeSite } from "../../../src/cli/docs/site/write-site.js";
import { createDocsRouter } from "../../../src/tenon/docs/index.js";
import { createErrorHandler } from "../../../src/tenon/runtime/index.js";
import { createDirectory } from "../../support/directory.js";
import { listen } from "../../support/http.js";

export interface ShownOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly deprecated?: boolean;
}

export interface PetStoreContract extends DocumentedContract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
}

/** The pet store's contract, as the service shows it. */
export const PET_STORE = JSON.parse(
  readFileSync(new URL("../../../generated/v1/contract.json", import.meta.url), "utf8"),
) as PetStoreContract;

/** A router that serves the site of a contract from a folder. */
export async function createSiteRouter(contract: DocumentedContract, options?: SiteOptions): Promise<Router> {
  const folder = createDirectory();
  await writeSite(new Map(createDocsSite(contract, options).map((file) => [file.name, file])), folder);
  return createDocsRouter({ folder });
}

/** An app with docs below `mount` and the 404 of its own. */
export async function createDocsApp(
  contract: DocumentedContract,
  mount: string,
  options?: SiteOptions,
): Promise<Express> {
  const app = express();
  app.disable("etag");
  app.enable("strict routing");
  app.use(mount, await createSiteRouter(contract, options));
  app.use((_, response) => {
    response.status(404).send("the app's own");
  });
  app.use(createErrorHandler({ errorBody: (problem) => problem, onFailure: () => undefined }));
  return app;
}

export interface Served {
  readonly server: Server;
  readonly origin: string;
}

/** Serves an app on a free loopback port, as behind a proxy that strips `prefix` from every path. */
export async function serve(app: Express, prefix = ""): Promise<Served> {
  const server = createServer((incoming, response) => {
    if (incoming.url?.startsWith(prefix) !== true) {
      response.writeHead(404).end();
      return;
    }
    incoming.url = incoming.url.slice(prefix.length);
    app(incoming, response);
  });
  return { server, origin: `http://127.0.0.1:${await listen(server)}` };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** One request, whose body stays as it came: compressed. */
export function ask(url: string, method = "GET", headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes: Buffer.concat(chunks),
        });
      });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}
