import type { RequestHandler } from "express";
import type { Observe } from "tenon/runtime";
import { basePath } from "../../generated/v1/server.js";
import { redactKeys } from "./keys/key.js";

/** The part of `@opentelemetry/api` in use. */
interface TraceApi {
  readonly trace: { getActiveSpan(): Span | undefined };
}

interface Span {
  /** Spans of OpenTelemetry's SDK have it, but the API does not declare it. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  updateName(name: string): unknown;
  setAttribute(name: string, value: unknown): unknown;
}

export interface Tracing {
  /** Names the spans of requests by their operation. */
  readonly observe: Observe;
  /** Middleware that removes keys from what the instrumentation recorded of a request: its path, its headers. */
  readonly redact: RequestHandler;
}

/** Not a literal, because the compiler would look for the package's types. */
const API = "@opentelemetry/api" as string;

/** `@opentelemetry/api` 1.x keeps what an SDK has registered under this symbol, for all copies of itself. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/**
 * Connects the service with OpenTelemetry. Its instrumentation of `node:http` creates a span for each request, but it sees one
 * middleware for all operations, and it records paths as they are sent.
 * @returns undefined when no OpenTelemetry SDK runs in this process; the API is not loaded then.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#name
 */
export async function loadTracing(): Promise<Tracing | undefined> {
  if (!(REGISTERED in globalThis)) return undefined;
  const { trace } = (await import(API)) as TraceApi;
  return {
    observe: ({ operation, request }) => {
      const span = trace.getActiveSpan();
      if (span === undefined) return undefined;
      const route = basePath + operation.path;
      span.updateName(`${request.method} ${route}`);
      span.setAttribute("http.route", route);
      return undefined;
    },
    redact: (_request, _response, next) => {
      const span = trace.getActiveSpan();
      for (const [name, value] of Object.entries(span?.attributes ?? {})) {
        const redacted = redactAttribute(value);
        if (redacted !== value) span?.setAttribute(name, redacted);
      }
      next();
    },
  };
}

/** Returns the same value when it contains no key. Captured headers are lists of texts. */
function redactAttribute(value: unknown): unknown {
  if (typeof value === "string") return redactKeys(value);
  if (!Array.isArray(value)) return value;
  const redacted = value.map(redactAttribute);
  return redacted.some((one, index) => one !== value[index]) ? redacted : value;
}
