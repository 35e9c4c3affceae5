import type { Request, Response } from "express";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ObservedRequest, Phase, RequestObserver } from "tenon/runtime";
import type { ServicePrincipals } from "../handlers/pets.js";
import type { RequestWatch } from "../log.js";
import type { Metrics } from "./combined-metrics.js";
import { measureProcess } from "./process-metrics.js";

const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
const CREATIONS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** Label value of requests that reach no operation (docs, health checks, unknown paths), and of a missing method. */
const NONE = "none";

/** Methods with a label value of their own. The others share one, because callers choose them. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", NONE]);

/** Maximum number of keys with a label value of their own. */
const MAX_KEYS = 1_000;

/** Properties of `response.locals`; the runtime sets `auth`. */
interface Locals {
  readonly auth?: Partial<ServicePrincipals>;
  phases?: RequestPhases;
}

/**
 * Measures one process of the service. Label values are names of the contract, status codes and ids of valid keys, and
 * nothing else that callers choose.
 */
export class ServiceMetrics implements RequestWatch {
  readonly #registry = new Registry();
  readonly #stop = measureProcess(this.#registry);
  readonly #toKeyLabel = limitValues(MAX_KEYS);

  readonly #requests = this.#counter(
    "petstore_requests_total",
    "Completed requests by status; aborted: the caller closed the connection.",
    ["operation", "method", "status"],
  );
  readonly #inFlight = new Gauge({
    name: "petstore_requests_in_flight",
    help: "Requests in progress.",
    registers: [this.#registry],
  });
  readonly #deprecated = this.#counter(
    "petstore_deprecated_requests_total",
    "Requests to deprecated operations, by the id of the key.",
    ["operation", "key"],
  );
  readonly #responseProblems = this.#counter(
    "petstore_response_problems_total",
    "Validated responses that violate the contract.",
    ["operation"],
  );
  readonly #durations = this.#histogram(
    "petstore_request_duration_seconds",
    "Time from a request's headers to the end of its response.",
    { labelNames: ["operation"] },
  );
  readonly #phases = this.#histogram(
    "petstore_request_phase_duration_seconds",
    "Time of requests by phase; http is the time outside all other phases.",
    { labelNames: ["operation", "phase"] },
  );
  readonly #commits = this.#histogram(
    "petstore_store_commit_duration_seconds",
    "Duration of commits that create pets.",
  );
  readonly #commitSizes = this.#histogram(
    "petstore_store_commit_creations",
    "Number of creations that shared a commit.",
    { buckets: CREATIONS },
  );

  measure(): Promise<Metrics> {
    return this.#registry.getMetricsAsJSON();
  }

  stop(): void {
    this.#stop();
  }

  arrived(): void {
    this.#inFlight.inc();
  }

  over({ method }: Request, response: Response, durationMs: number): void {
    this.#inFlight.dec();
    const { auth, phases } = response.locals as Locals;
    const operation = phases?.operation.id ?? NONE;
    const seconds = durationMs / 1000;
    this.#durations.observe({ operation }, seconds);
    this.#count(operation, method, response.writableFinished ? response.statusCode : "aborted");
    if (phases === undefined) return;
    let rest = seconds;
    for (const [phase, phaseSeconds] of phases.toSeconds()) {
      this.#phases.observe({ operation, phase }, phaseSeconds);
      rest -= phaseSeconds;
    }
    this.#phases.observe({ operation, phase: "http" }, rest);
    const keyId = auth?.bearerAuth?.id;
    if (keyId !== undefined && phases.operation.deprecated === true)
      this.#deprecated.inc({ operation, key: this.#toKeyLabel(keyId) });
  }

  /** Counts requests that were refused before the app received them: malformed, too long, or more than the service can take. */
  refused(method: string | undefined, status: number, requests = 1): void {
    this.#count(NONE, method ?? NONE, status, requests);
  }

  readonly observe = ({ operation, response }: ObservedRequest): RequestObserver => {
    const phases = new RequestPhases(operation);
    (response.locals as Locals).phases = phases;
    return phases;
  };

  responseProblem(operation: string): void {
    this.#responseProblems.inc({ operation });
  }

  readonly commit = (creations: number, seconds: number): void => {
    this.#commits.observe(seconds);
    this.#commitSizes.observe(creations);
  };

  #count(operation: string, sentMethod: string, status: number | string, requests = 1): void {
    const method = METHODS.has(sentMethod) ? sentMethod : "other";
    this.#requests.inc({ operation, method, status }, requests);
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram(
    name: string,
    help: string,
    { labelNames = [], buckets = SECONDS }: { labelNames?: string[]; buckets?: number[] } = {},
  ): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] });
  }
}

/** Records when the phases of one request begin. */
class RequestPhases implements RequestObserver {
  readonly #phases: Phase[] = [];
  /** The begin of each phase, which is the end of the one before; and the end of the last one. */
  readonly #times: number[] = [];

  constructor(readonly operation: ObservedRequest["operation"]) {}

  enter(phase: Phase): void {
    this.#phases.push(phase);
    this.#times.push(performance.now());
  }

  answered(): void {
    this.#times.push(performance.now());
  }

  /** Returns the duration of each phase, except of one that did not end because the caller closed the connection. */
  toSeconds(): readonly (readonly [Phase, number])[] {
    return this.#times
      .slice(1)
      .map((end, index) => [this.#phases[index] ?? "http", (end - (this.#times[index] ?? end)) / 1000]);
  }
}

/** Returns a function that keeps the first `limit` values and maps all others to `other`, so that series do not grow without end. */
export function limitValues(limit: number): (value: string) => string {
  const values = new Set<string>();
  return (value) => {
    if (values.size < limit) values.add(value);
    return values.has(value) ? value : "other";
  };
}
