// @thorough: builds an app with Vite and drives it in Chromium.
import { execFile } from "node:child_process";
import { EventEmitter, on } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as sendRequest, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import type { Browser, Page } from "playwright-core";
import { findChromium, launch, openPage, type WatchedPage } from "../support/chromium.js";
import { createPartialApi } from "../fixtures/streams/generated/server.js";
import { close, listen } from "../support/http.js";
import { listAll, type PetStore, startPetStore } from "../support/petstore.js";

const APP = fileURLToPath(new URL("react/", import.meta.url));
const VITE = fileURLToPath(new URL("../../node_modules/vite/bin/vite.js", import.meta.url));
/** More than the buffers of a connection hold. */
const FILE_SIZE = 32 * 1024 * 1024;
const executablePath = findChromium();

/** What happens to the next request of a kind: the service is not there for a second, or its response is lost. */
type Fault = "unavailable" | "lost";

let folder: string;
let store: PetStore;
let server: Server;
let browser: Browser;
let origin: string;
let opened: WatchedPage;
let page: Page;
/** Requests of the browser to the Pet Store, with their `Idempotency-Key`. */
const asked: { readonly line: string; readonly key: string | undefined }[] = [];
const faults = new Map<string, Fault>();
const changes: string[] = [];
const changed = new EventEmitter();
/** Uploads, and responses of the Pet Store, wait for this. */
let gate = Promise.resolve();

/** Closes the gate, and returns what opens it. */
function closeGate(): () => void {
  let open: () => void = () => undefined;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  return () => {
    open();
  };
}

/** The Pet Store behind the host of the page, with its faults. */
const toStore: RequestListener = (request, response) => {
  const { method = "", url = "", headers } = request;
  asked.push({ line: `${method} ${url}`, key: headers["idempotency-key"]?.toString() });
  const fault = faults.get(method);
  faults.delete(method);
  if (fault === "unavailable") {
    response.writeHead(503, { "Content-Type": "application/json", "Retry-After": "1" });
    response.end(JSON.stringify({ code: "unavailable", message: "Try again", status: 503 }));
    return;
  }
  const options = { host: "127.0.0.1", port: store.port, path: url, method, headers };
  const outgoing = sendRequest(options, (incoming) => {
    if (fault === "lost") {
      // The service has committed: its response arrives here, and no further.
      incoming.resume().on("end", () => request.socket.destroy());
      return;
    }
    if (method === "POST" && incoming.statusCode === 201) change("added");
    void gate.then(() => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(response);
    });
  });
  outgoing.on("error", () => request.socket.destroy());
  request.pipe(outgoing);
};

function change(note: string): void {
  changes.push(note);
  changed.emit("change");
}

/** A service with files and a stream of changes, which ends once after the first change of a connection. */
function createFilesApi() {
  return createPartialApi({
    errorBody: ({ code, message }) => ({ code, message }),
    onFailure: () => undefined,
    uploadLimit: 2 * FILE_SIZE,
    unimplemented: "501",
    handlers: {
      addAttachment: ({ body }, reply) => reply[200]({ size: body.file.size, sha256: "" }),
      listChanges: ({ headers: { "last-event-id": last = "0" } }, reply) =>
        reply[200](async function* (signal?: AbortSignal) {
          const waiting = on(changed, "change", { ...(signal && { signal }) });
          for (let next = Number(last); ;) {
            for (; next < changes.length; next += 1)
              yield { id: `${next + 1}`, data: { number: next + 1, note: changes[next] ?? null } };
            await waiting.next();
          }
        }),
    },
  });
}

interface ServerEntry {
  readonly render: (
    addresses: Readonly<Record<"pets" | "files" | "apiKey", string>>,
  ) => Promise<{ readonly html: string; readonly state: unknown }>;
}

/** The host of the page: rendered here at `/`, and in the browser alone at `/browser`. */
async function createHost(): Promise<RequestListener> {
  const { render } = (await import(pathToFileURL(join(folder, "server/server.js")).href)) as ServerEntry;
  const template = readFileSync(join(folder, "client/index.html"), "utf8");
  const fill = (html: string, start: object) => {
    const text = JSON.stringify(start).replaceAll("<", "\\u003c");
    const script = `<script id="start" type="application/json">${text}</script>`;
    return template.replace("<!--app-->", () => html).replace("</body>", () => `${script}</body>`);
  };
  const app = express();
  app.get("/", async (_, response) => {
    const { html, state } = await render({
      pets: `${store.url}/v1`,
      files: `${origin}/files/v1`,
      apiKey: store.key,
    });
    response.send(fill(html, { apiKey: store.key, state }));
  });
  app.get("/browser", (_, response) => void response.send(fill("", { apiKey: store.key })));
  app.get("/favicon.ico", (_, response) => void response.status(204).end());
  app.use("/assets", express.static(join(folder, "client/assets")));
  app.post("/files/v1/attachments", async (_request, _response, next) => {
    await gate;
    next();
  });
  app.use("/files", createFilesApi());
  return (request, response) => {
    if (request.url?.startsWith("/v1/") === true) toStore(request, response);
    else (app as RequestListener)(request, response);
  };
}

async function build(): Promise<void> {
  const run = (...options: readonly string[]) =>
    promisify(execFile)(process.execPath, [VITE, "build", "--emptyOutDir", ...options], { cwd: APP });
  await run("--outDir", join(folder, "client"));
  await run("--outDir", join(folder, "server"), "--ssr", "src/server.tsx");
}

const names = (): Promise<readonly string[]> =>
  page.getByRole("list", { name: "Pets" }).getByRole("listitem").allTextContents();

async function open(path: string): Promise<void> {
  opened = await openPage(browser, 800);
  ({ page } = opened);
  asked.length = 0;
  await page.goto(origin + path);
}

(executablePath === undefined ? describe.skip : describe)("an app with React, TanStack Query and SWR", () => {
  beforeAll(async () => {
    // Inside the app, so that what the server imports is found.
    mkdirSync(join(APP, "dist"), { recursive: true });
    folder = mkdtempSync(join(APP, "dist/"));
    store = await startPetStore();
    for (let number = 1; number <= 50; number += 1)
      await store.create({
        name: `Pet ${number}`,
        categoryId: 1,
        status: number === 33 ? "sold" : "available",
      });
    await build();
    const host = await createHost();
    server = createServer(host);
    origin = `http://127.0.0.1:${await listen(server)}`;
    browser = await launch(executablePath ?? "");
  });
  afterEach(async () => {
    // Errors of the network are shown by the browser itself.
    expect(opened.complaints.filter((text) => !text.includes("Failed to load resource"))).toEqual([]);
    await page.close();
  });
  afterAll(async () => {
    await browser.close();
    await close(server);
    await store.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("is rendered on the server, and goes on in the browser with its data", async () => {
    const html = await (await fetch(origin)).text();
    expect(html).toContain(">Pet 1</li>");
    await open("/");
    await page.getByText("First sold: Pet 33").waitFor();
    expect(asked.map(({ line }) => line)).toEqual(["GET /v1/pets?status=sold&limit=1"]);
  });

  test("suspends where nothing was rendered", async () => {
    await open("/browser");
    await page.getByText("Pet 20").waitFor();
    await page.getByLabel("Only available").check();
    await page.getByText("Pet 1", { exact: true }).waitFor();
    expect(asked.map(({ line }) => line)).toContain("GET /v1/pets?limit=20&status=available");
  });

  test("reads the next page when the end of the list comes into view, although the service is away", async () => {
    await open("/");
    expect(await names()).toHaveLength(20);
    faults.set("GET", "unavailable");
    for (const end of ["Pet 40", "Pet 50"]) {
      await page.getByText("More…").scrollIntoViewIfNeeded();
      await page.getByText(end, { exact: true }).waitFor();
    }
    await page.getByText("That is all.").waitFor();
    expect(await names()).toHaveLength(50);
    expect(faults.size).toBe(0);
  });

  test("validates a form before it is sent", async () => {
    await open("/");
    await page.getByLabel("Category").fill("one");
    await page.getByRole("button", { name: "Add" }).click();
    expect(await page.getByRole("alert").allTextContents()).toEqual([
      "name is required",
      "categoryId must be an integer",
    ]);
    expect(asked.filter(({ line }) => line.startsWith("POST"))).toEqual([]);
  });

  test("adds one pet, shown at once, although the response is lost", async () => {
    await open("/");
    const before = (await listAll(store)).length;
    faults.set("POST", "lost");
    await page.getByLabel("Name").fill("Lost and found");
    const openGate = closeGate();
    await page.getByRole("button", { name: "Add" }).click();
    await page.locator("li[aria-busy=true]", { hasText: "Lost and found" }).waitFor();
    openGate();
    await page.getByText(/^Added number \d+$/).waitFor();
    const posts = asked.filter(({ line }) => line === "POST /v1/pets");
    expect(posts).toHaveLength(2);
    expect(posts[0]?.key).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(posts[1]?.key).toBe(posts[0]?.key);
    expect(await listAll(store)).toHaveLength(before + 1);
    await page.locator("li[aria-busy=true]").waitFor({ state: "detached" });
  });

  test("takes an optimistic pet back if the service refuses it", async () => {
    await open("/");
    await page.getByLabel("Name").fill("\u0000");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText(/^Not added: /).waitFor();
    expect(await names()).toHaveLength(20);
  });

  test("uploads a file with progress, and ends an upload", async () => {
    await open("/");
    const upload = page.getByLabel("File");
    const file = join(folder, "large.bin");
    writeFileSync(file, Buffer.alloc(FILE_SIZE));
    const openGate = closeGate();
    await upload.setInputFiles(file);
    // The service reads nothing yet, so that what was sent stays a part.
    await page.locator("progress:not([value='0'])").waitFor();
    const share = Number(await page.getByLabel("Sent").getAttribute("value"));
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled").waitFor();
    openGate();
    await upload.setInputFiles([]);
    await upload.setInputFiles(file);
    await page.getByText(`Stored ${FILE_SIZE} bytes, sent 100 %`).waitFor();
  });

  test("shows changes as they come, also after the connection broke", async () => {
    await open("/");
    const list = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
    change("first");
    await list.getByText("first").waitFor();
    server.closeAllConnections();
    change("second");
    await list.getByText("second").waitFor();
    expect(await list.allTextContents()).toEqual(changes);
  });
});
