/** Runs the service under OpenTelemetry's own instrumentation, and checks the spans that a collector receives. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installPackages, TRACE_PACKAGES } from "./packages.js";

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const PARENT_ID = "b7ad6b7169203331";
const LIKE_A_KEY = `petstore_${"0".repeat(49)}`;
const LIMIT_MS = 30_000;

/** `SPAN_KIND_SERVER` */
const SERVER = 2;

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const modules = installPackages(join(tmpdir(), "tenon-traces"), TRACE_PACKAGES);
const register = join(modules, "@opentelemetry/auto-instrumentations-node/build/src/register.js");

const spans: Span[] = [];
const collector = createServer((request, response) => {
  void json(request).then((body) => {
    for (const { scopeSpans } of (body as Traces).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.setHeader("Content-Type", "application/json").end("{}");
  });
});
collector.listen(0, "127.0.0.1");
await once(collector, "listening");

const service = spawn(
  process.execPath,
  ["--import", pathToFileURL(register).href, "dist/src/petstore/main.js"],
  {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "test",
      PORT: "0",
      DATABASE_URL: "sqlite::memory:",
      OTEL_SERVICE_NAME: "petstore",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRICS_EXPORTER: "none",
      OTEL_LOGS_EXPORTER: "none",
      OTEL_BSP_SCHEDULE_DELAY: "100",
      OTEL_NODE_ENABLED_INSTRUMENTATIONS: "http",
      OTEL_NODE_RESOURCE_DETECTORS: "none",
      OTEL_SEMCONV_STABILITY_OPT_IN: "http",
    },
    stdio: ["ignore", "pipe", "inherit"],
  },
);
let out = "";
service.stdout.on("data", (chunk: Buffer) => {
  out += String(chunk);
});

async function until<T>(what: string, find: () => T | undefined): Promise<T> {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end;) {
    const found = find();
    if (found !== undefined) return found;
    if (service.exitCode !== null) throw new Error("The service has ended");
    await setTimeout(20);
  }
  throw new Error(`Waited in vain for ${what}`);
}

function expectSpan(name: string, want: Readonly<Record<string, unknown>>): Promise<Span> {
  return until(`the span ${name}`, () =>
    spans.find((span) => {
      const attributes = Object.fromEntries(
        span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
      );
      return (
        span.name === name &&
        span.kind === SERVER &&
        Object.entries(want).every(([key, value]) => String(attributes[key]) === String(value))
      );
    }),
  );
}

try {
  const url = await until("the service", () => /"url":"([^"]+)"/.exec(out)?.[1]);
  await fetch(`${url}/v1/pets/1`, { headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` } });
  await fetch(`${url}/v1/nothing`);
  const one = await expectSpan("GET /v1/pets/{petId}", {
    "http.request.method": "GET",
    "http.route": "/v1/pets/{petId}",
    "http.response.status_code": 401,
    "url.path": "/v1/pets/1",
  });
  if (one.traceId !== TRACE_ID || one.parentSpanId !== PARENT_ID)
    throw new Error(`The span is not the caller's: ${one.traceId} ${one.parentSpanId ?? "without a parent"}`);
  await expectSpan("GET", { "http.response.status_code": 404 });
  await fetch(`${url}/nothing/${LIKE_A_KEY}`, { headers: { "user-agent": LIKE_A_KEY } });
  await expectSpan("GET", { "url.path": "/nothing/[redacted key]", "user_agent.original": "[redacted key]" });
  if (JSON.stringify(spans).includes(LIKE_A_KEY)) throw new Error("A span contains a key");
  process.stdout.write(
    "Spans are named by their operations, belong to their callers' traces and contain no keys\n",
  );
} catch (error) {
  process.stderr.write(
    `${(error as Error).message}; received: ${spans.map(({ name }) => name).join(", ")}\n`,
  );
  process.exitCode = 1;
} finally {
  service.kill();
  collector.close();
  collector.closeAllConnections();
}
