import type { Observe } from "tenon/runtime";
import { basePath } from "../../generated/v1/server.js";

/** The part of `@opentelemetry/api` in use. */
interface TraceApi {
  readonly trace: { getActiveSpan(): Span | undefined };
}

interface Span {
  updateName(name: string): unknown;
  setAttribute(name: string, value: string): unknown;
}

/** Not a literal, because the compiler would look for the package's types. */
const API = "@opentelemetry/api" as string;

/** `@opentelemetry/api` 1.x keeps what an SDK has registered under this symbol, for all copies of itself. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/**
 * Creates an observer that names the spans of requests by their operation. OpenTelemetry's instrumentation of `node:http`
 * creates these spans, but it sees one middleware for all operations.
 * @returns undefined when no OpenTelemetry SDK runs in this process; the API is not loaded then.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#name
 */
export async function loadTracing(): Promise<Observe | undefined> {
  if (!(REGISTERED in globalThis)) return undefined;
  const { trace } = (await import(API)) as TraceApi;
  return ({ operation, request }) => {
    const span = trace.getActiveSpan();
    if (span === undefined) return undefined;
    const route = basePath + operation.path;
    span.updateName(`${request.method} ${route}`);
    span.setAttribute("http.route", route);
    return undefined;
  };
}
