import { HttpResponse } from "msw";
import { setupWorker } from "msw/browser";
import type { Handlers, Principals } from "../../../../generated/v1/server.js";
import { createHandlers } from "../../../../src/cli/mock/msw/index.js";

/** Calls the mocked API from a page, and returns what the page gets. */
async function run(document: unknown): Promise<unknown> {
  const handlers = createHandlers<Handlers<object, Principals>>(document, { baseUrl: "/v1" });
  const worker = setupWorker(...handlers);
  await worker.start({ onUnhandledRequest: "bypass", quiet: true });
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(path, { headers: { Authorization: "Bearer any" }, ...init });
    return {
      status: response.status,
      mock: response.headers.get("tenon-mock"),
      body: await response.json(),
    };
  };
  const results: unknown[] = [
    await call("/v1/pets"),
    await call("/v1/pets?limit=101"),
    await call("/v1/pets", {
      method: "POST",
      headers: { Authorization: "Bearer any", "Content-Type": "application/json" },
      body: JSON.stringify({ name: 1, categoryId: 1 }),
    }),
    await call("/v1/pets", { headers: {} }),
  ];
  worker.use(
    handlers.listPets(({ reply, query }) => reply[200]([{ id: query.limit, name: "Rex", categoryId: 1 }])),
  );
  results.push(await call("/v1/pets?limit=3"));
  worker.use(handlers.listPets(() => HttpResponse.error(), { once: true }));
  results.push(
    await fetch("/v1/pets", { headers: { Authorization: "Bearer any" } }).catch(
      (error: unknown) => (error as Error).name,
    ),
  );
  results.push((await call("/v1/pets?limit=4")).status);
  worker.stop();
  return results;
}

Object.assign(globalThis, { run });
