import type { Request, Response } from "express";
import type { ObservedRequest, RequestObserver } from "tenon/runtime";
import type { ServicePrincipals } from "../handlers/context.js";
import type { RequestWatch } from "../log.js";
import { Registry } from "./instruments.js";
import { ABORTED, HTTP, OperationMetrics, OperationTimes } from "./operation-metrics.js";
import { ProcessMetrics } from "./process-metrics.js";
import type { Snapshot } from "./snapshot.js";

const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
const CREATIONS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** What is counted under the operation `none` is no operation: docs, health, unknown paths, what is not even HTTP. */
const NONE = "none";

/** What is known of a request when it is over; the runtime sets `auth`. */
interface Locals {
  readonly auth?: Partial<ServicePrincipals>;
  times?: OperationTimes;
}

/**
 * What one process of the service measures. Labels are names of the contract, statuses, and ids of valid keys: nothing else that
 * callers choose.
 */
export class ServiceMetrics implements RequestWatch {
  readonly #registry = new Registry();
  readonly #process = new ProcessMetrics();
  readonly #operations = new Map<string, OperationMetrics>();

  readonly #requests = this.#registry.tallies({
    name: "petstore_requests",
    help: "Requests that are over, by what they were answered; aborted: the caller left before the end.",
    type: "counter",
    labels: ["operation", "method", "status"],
  });
  readonly #durations = this.#registry.histograms({
    name: "petstore_request_duration_seconds",
    help: "From a request's headers to the end of its answer.",
    type: "histogram",
    labels: ["operation"],
    bounds: SECONDS,
  });
  readonly #phases = this.#registry.histograms({
    name: "petstore_request_phase_duration_seconds",
    help: "Where the time of requests to operations went; http is what no other phase is.",
    type: "histogram",
    labels: ["operation", "phase"],
    bounds: SECONDS,
  });
  readonly #inFlight = this.#registry
    .tallies({ name: "petstore_requests_in_flight", help: "Requests that are not over.", type: "gauge" })
    .of();
  readonly #deprecated = this.#registry.tallies({
    name: "petstore_deprecated_requests",
    help: "Requests to deprecated operations, by the id of the key.",
    type: "counter",
    labels: ["operation", "key"],
  });
  readonly #responseProblems = this.#registry.tallies({
    name: "petstore_response_problems",
    help: "Compared responses that were not as the contract declares them.",
    type: "counter",
    labels: ["operation"],
  });
  readonly #commits = this.#registry
    .histograms({
      name: "petstore_store_commit_duration_seconds",
      help: "Commits of creations, from the first statement to the disk.",
      type: "histogram",
      bounds: SECONDS,
    })
    .of();
  readonly #commitSizes = this.#registry
    .histograms({
      name: "petstore_store_commit_creations",
      help: "Creations that shared a commit.",
      type: "histogram",
      bounds: CREATIONS,
    })
    .of();

  snapshot(): Snapshot {
    return [...this.#registry.snapshot(), ...this.#process.registry.snapshot()];
  }

  stop(): void {
    this.#process.stop();
  }

  arrived(): void {
    this.#inFlight.add(1);
  }

  over({ method }: Request, response: Response, durationMs: number): void {
    this.#inFlight.add(-1);
    const { auth, times } = response.locals as Locals;
    const operation = times?.metrics ?? this.#operation(NONE);
    const seconds = durationMs / 1000;
    operation.duration.observe(seconds);
    operation.count(method, response.writableFinished ? response.statusCode : ABORTED);
    if (times === undefined) return;
    operation.phase(HTTP).observe(seconds - times.observe());
    const keyId = auth?.bearerAuth?.id;
    if (keyId !== undefined) operation.use(keyId);
  }

  /** What never reached the app was refused: malformed HTTP, a target that is too long, more than can be answered. */
  refused(method: string | undefined, status: number, requests = 1): void {
    this.#operation(NONE).count(method ?? NONE, status, requests);
  }

  readonly observe = ({ operation, response }: ObservedRequest): RequestObserver => {
    const times = new OperationTimes(this.#operation(operation.id, operation.deprecation !== undefined));
    (response.locals as Locals).times = times;
    return times;
  };

  responseProblem(operationId: string): void {
    this.#responseProblems.of(operationId).add(1);
  }

  readonly commit = (creations: number, seconds: number): void => {
    this.#commits.observe(seconds);
    this.#commitSizes.observe(creations);
  };

  #operation(id: string, isDeprecated = false): OperationMetrics {
    let metrics = this.#operations.get(id);
    if (metrics === undefined) {
      metrics = new OperationMetrics(id, isDeprecated, {
        requests: this.#requests,
        durations: this.#durations,
        phases: this.#phases,
        deprecated: this.#deprecated,
      });
      this.#operations.set(id, metrics);
    }
    return metrics;
  }
}
