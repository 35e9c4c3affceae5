import type { IncomingMessage, ServerResponse } from "node:http";
import type { ObservedRequest, Phase, RequestObserver } from "tenon/runtime";
import type { ServicePrincipals } from "../handlers/context.js";
import { type Histogram, type InstrumentFamily, Registry, type Tally } from "./instruments.js";
import { ProcessMetrics } from "./process-metrics.js";
import type { Snapshot } from "./snapshot.js";

const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
const CREATIONS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** What is counted under the operation `none` is no operation: docs, health, unknown paths, what is not even HTTP. */
const NONE = "none";

/** Methods that have a label of their own: callers choose them. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What is known of a request when it is over; the runtime sets `auth`. */
interface Locals {
  readonly auth?: Partial<ServicePrincipals>;
  times?: OperationTimes;
}

/**
 * What one process of the service measures. Labels are names of the contract, statuses, and ids of valid keys: nothing else that
 * callers choose.
 */
export class ServiceMetrics {
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

  /** A request has arrived, whether it reaches the app or not. */
  readonly watch = ({ method = "" }: IncomingMessage, response: ServerResponse): void => {
    const start = performance.now();
    this.#inFlight.add(1);
    response.on("close", () => {
      this.#inFlight.add(-1);
      const { auth, times } = (response as { locals?: Locals }).locals ?? {};
      const operation = times?.metrics ?? this.#operation(NONE);
      const seconds = (performance.now() - start) / 1000;
      operation.durations.observe(seconds);
      operation.count(method, response.writableFinished ? response.statusCode : 0);
      if (times === undefined) return;
      operation.phase("http").observe(seconds - times.seconds);
      const keyId = auth?.bearerAuth?.id;
      if (times.isDeprecated && keyId !== undefined) this.#deprecated.of(operation.id, keyId).add(1);
    });
  };

  /** What never became a request was refused: malformed HTTP, and CONNECT. */
  refused(status: number): void {
    this.#operation(NONE).count("none", status);
  }

  readonly observe = ({ operation, response }: ObservedRequest): RequestObserver => {
    const times = new OperationTimes(this.#operation(operation.id), operation.deprecation !== undefined);
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

  #operation(id: string): OperationMetrics {
    let metrics = this.#operations.get(id);
    if (metrics === undefined) {
      metrics = new OperationMetrics(id, this.#requests, this.#phases, this.#durations.of(id));
      this.#operations.set(id, metrics);
    }
    return metrics;
  }
}

/** The instruments of one operation, found once. */
class OperationMetrics {
  readonly #counts = new Map<string, Tally[]>();
  readonly #byPhase = new Map<Phase, Histogram>();

  constructor(
    readonly id: string,
    private readonly requests: InstrumentFamily<Tally>,
    private readonly phases: InstrumentFamily<Histogram>,
    readonly durations: Histogram,
  ) {}

  /** @param status 0 for a caller that left. */
  count(sent: string, status: number): void {
    const method = METHODS.has(sent) || sent === NONE ? sent : "other";
    let counts = this.#counts.get(method);
    if (counts === undefined) this.#counts.set(method, (counts = []));
    (counts[status] ??= this.requests.of(this.id, method, status === 0 ? "aborted" : String(status))).add(1);
  }

  phase(phase: Phase): Histogram {
    let histogram = this.#byPhase.get(phase);
    if (histogram === undefined) this.#byPhase.set(phase, (histogram = this.phases.of(this.id, phase)));
    return histogram;
  }
}

/** Times the phases of one request. */
class OperationTimes implements RequestObserver {
  /** That all phases took together. */
  seconds = 0;
  #phase: Phase | undefined;
  #since = 0;

  constructor(
    readonly metrics: OperationMetrics,
    readonly isDeprecated: boolean,
  ) {}

  enter(phase: Phase): void {
    const now = performance.now();
    this.#end(now);
    this.#phase = phase;
    this.#since = now;
  }

  answered(): void {
    this.#end(performance.now());
    this.#phase = undefined;
  }

  #end(now: number): void {
    if (this.#phase === undefined) return;
    const seconds = (now - this.#since) / 1000;
    this.metrics.phase(this.#phase).observe(seconds);
    this.seconds += seconds;
  }
}
