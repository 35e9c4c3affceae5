import type { Observe } from "tenon/runtime";
import { basePath } from "../../generated/v1/server.js";

/** What is used of `@opentelemetry/api`, which is installed by whoever wants traces. */
interface TraceApi {
  readonly trace: { getActiveSpan(): Span | undefined };
}

interface Span {
  updateName(name: string): unknown;
  setAttribute(name: string, value: string): unknown;
}

/** No literal to the compiler, which would look for it. */
const API = "@opentelemetry/api" as string;

/**
 * Names the spans of requests by their operation: OpenTelemetry's instrumentation of `node:http` makes them, and sees one
 * middleware for all operations.
 * @returns undefined where OpenTelemetry is not installed.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#name
 */
export async function loadTracing(): Promise<Observe | undefined> {
  let api: TraceApi;
  try {
    api = (await import(API)) as TraceApi;
  } catch (error) {
    // Jest says it without `ERR_`.
    if ((error as NodeJS.ErrnoException).code?.endsWith("MODULE_NOT_FOUND") === true) return undefined;
    throw error;
  }
  return ({ operation, request }) => {
    const span = api.trace.getActiveSpan();
    if (span === undefined) return undefined;
    const route = basePath + operation.path;
    span.updateName(`${request.method} ${route}`);
    span.setAttribute("http.route", route);
    return undefined;
  };
}
