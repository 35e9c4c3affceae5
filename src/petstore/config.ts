import { availableParallelism } from "node:os";
import {
  type ConfigVariable,
  host,
  integer,
  integerOrAuto,
  oneOf,
  parseOrigins,
  parsePublicUrl,
  rate,
  readDatabaseUrl,
  type Variable,
} from "./config-variable.js";
import type { Rate } from "./limits/rate.js";
import { DATABASE_URL_FORMS, parseDatabaseUrl } from "./store/database-url.js";

/** How the service runs, as {@link loadConfig} read it from the environment. */
export interface Config {
  readonly environment: Environment;
  readonly host: string;
  readonly port: number;
  /** Absent: nothing is measured. */
  readonly metricsPort?: number;
  readonly metricsHost: string;
  /** Processes that serve. */
  readonly webConcurrency: number;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly idempotencyKeyHours: number;
  readonly logLevel: LogLevel;
  readonly responseValidation: ResponseValidation;
  readonly responseSampling: number;
  readonly bodyLimitBytes: number;
  /** For each key. */
  readonly rateLimit: Rate | "off";
  /** Keys that are not valid, for each network. */
  readonly failedAuthLimit: Rate | "off";
  /** How many proxies write `X-Forwarded-For` in front of this service. */
  readonly trustedProxies: number;
  /** As browsers send them. */
  readonly corsOrigins?: readonly string[];
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxInFlight: number;
  readonly maxEventLoopDelayMs: number;
  /** Without a slash at the end. */
  readonly publicUrl?: string;
  readonly shutdownGraceMs: number;
  readonly drainDelayMs: number;
}

const ENVIRONMENTS = ["development", "test", "production"] as const;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const RESPONSE_VALIDATIONS = ["off", "report", "enforce"] as const;

export type Environment = (typeof ENVIRONMENTS)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];
export type ResponseValidation = (typeof RESPONSE_VALIDATIONS)[number];

const VARIABLES = {
  NODE_ENV: oneOf(ENVIRONMENTS, {
    default: "development",
    meaning: "Where the service runs; decides the other defaults.",
  }),
  HOST: host({
    // A developer's machine must not serve its network by accident; in production a proxy or a container's port
    // mapping has to reach the service from outside.
    default: "127.0.0.1",
    productionDefault: "0.0.0.0",
    meaning: "Address to listen on.",
  }),
  PORT: integer(0, 65_535, { default: "3000", meaning: "TCP port to listen on; 0 takes any free one." }),
  METRICS_PORT: integer(0, 65_535, {
    meaning:
      "TCP port of /metrics, which is on no other; 0 takes any free one. Without it nothing is measured.",
  }),
  METRICS_HOST: host({
    // Not HOST: what the service does is not everybody's business.
    default: "127.0.0.1",
    meaning: "Address that METRICS_PORT listens on.",
  }),
  WEB_CONCURRENCY: integerOrAuto(1, 1_024, availableParallelism, {
    default: "1",
    meaning: "Processes that share the port; `auto` is one for each core.",
  }),
  DATABASE_URL: {
    default: "sqlite:data/petstore.db",
    meaning: "The database; a SQLite path is relative to the working directory.",
    expected: DATABASE_URL_FORMS,
    parse: (text: string) => (parseDatabaseUrl(text) === undefined ? undefined : text),
    secret: true,
  },
  DATABASE_URL_FILE: {
    meaning: "A file that holds the value of DATABASE_URL, such as a mounted secret; used in its place.",
    expected: `a readable file whose text is ${DATABASE_URL_FORMS}`,
    parse: readDatabaseUrl,
  },
  DATABASE_POOL_SIZE: integer(1, 1000, {
    default: "10",
    meaning: "Most connections of one process to a PostgreSQL server.",
  }),
  IDEMPOTENCY_KEY_HOURS: integer(24, 8_760, {
    default: "24",
    meaning: "Hours for which a creation's `Idempotency-Key` is remembered.",
  }),
  LOG_LEVEL: oneOf(LOG_LEVELS, { default: "info", meaning: "Least severe level that is logged." }),
  RESPONSE_VALIDATION: oneOf(RESPONSE_VALIDATIONS, {
    default: "enforce",
    productionDefault: "report",
    meaning:
      "What happens to a response that breaks the contract: it is sent, sent and logged, or replaced by a 500.",
  }),
  RESPONSE_SAMPLING: integer(1, 1_000_000, {
    default: "1",
    productionDefault: "100",
    meaning: "Of so many responses one is compared with the contract; 1 compares all.",
  }),
  BODY_LIMIT_BYTES: integer(1, Number.MAX_SAFE_INTEGER, {
    default: "102400",
    meaning: "Largest request body, in bytes; a larger one is answered with 413.",
  }),
  RATE_LIMIT: rate({
    default: "off",
    meaning: "Requests that each key may send: `100/60s`, say; more are answered with 429.",
  }),
  FAILED_AUTH_LIMIT: rate({
    default: "300/60s",
    meaning:
      "Requests with keys that are not valid, from each network; more are answered with 429 in place of 401.",
  }),
  TRUSTED_PROXIES: integer(0, 32, {
    default: "0",
    meaning: "Proxies in front of the service, whose `X-Forwarded-For` tells where a request comes from.",
  }),
  CORS_ORIGINS: {
    meaning: "Origins whose pages may call the service from a browser, with commas between them.",
    expected: "origins such as https://shop.example,http://localhost:5173, without a slash at the end",
    parse: parseOrigins,
  },
  REQUEST_TIMEOUT_MS: integer(1_000, 3_600_000, {
    default: "10000",
    meaning:
      "Longest time, in milliseconds, that a request may take to arrive; then it is answered with 408.",
  }),
  KEEP_ALIVE_TIMEOUT_MS: integer(1, 3_600_000, {
    default: "5000",
    meaning: "Time, in milliseconds, that an idle connection is kept; longer than a proxy in front keeps it.",
  }),
  MAX_CONNECTIONS: integer(1, 1_000_000, {
    default: "10000",
    meaning: "Connections of a process at a time; one more is closed at once.",
  }),
  MAX_IN_FLIGHT: integer(1, 1_000_000, {
    default: "1000",
    meaning: "Operations of a process that are at work at a time; one more is answered with 503.",
  }),
  MAX_EVENT_LOOP_DELAY_MS: integer(1, 60_000, {
    // A developer's machine is slow for many reasons that no caller has to do with.
    default: "1000",
    productionDefault: "100",
    meaning:
      "Time, in milliseconds, that requests may wait in line in a process; beyond it they are answered with 503.",
  }),
  PUBLIC_URL: {
    meaning: "Where clients reach the service, without the version segment /v1; shown in the docs.",
    expected: "an absolute http or https URL without credentials, query, fragment and /v1",
    parse: parsePublicUrl,
  },
  SHUTDOWN_GRACE_MS: integer(0, 600_000, {
    default: "10000",
    meaning: "Longest time, in milliseconds, that requests in progress get to finish at shutdown.",
  }),
  DRAIN_DELAY_MS: integer(0, 600_000, {
    default: "0",
    productionDefault: "1500",
    meaning: "Time, in milliseconds, between reporting not ready and refusing connections at shutdown.",
  }),
} satisfies Record<string, Variable<unknown>>;

/** Every variable that the service reads, in the order of the documentation. */
export const CONFIG_VARIABLES: readonly ConfigVariable[] = Object.entries<Variable<unknown>>(VARIABLES).map(
  ([name, { meaning, expected, default: value, productionDefault }]) => ({
    name,
    meaning,
    expected,
    ...(value !== undefined && { default: value }),
    ...(productionDefault !== undefined && { productionDefault }),
  }),
);

/** Wrong environment variables; the message has one line for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

type Variables = typeof VARIABLES;

/** What reading a variable gives; undefined only where it has no default. */
type Value<Name extends keyof Variables> =
  | NonNullable<ReturnType<Variables[Name]["parse"]>>
  | ("default" extends keyof Variables[Name] ? never : undefined);

/**
 * Reads the configuration from environment variables. An empty value counts as unset.
 * @throws {ConfigError} with all problems at once.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];

  function read<Name extends keyof Variables>(name: Name): Value<Name> {
    const variable: Variable<unknown> = VARIABLES[name];
    const text = env[name] === "" ? undefined : env[name];
    const byDefault =
      (env["NODE_ENV"] === "production" ? variable.productionDefault : undefined) ?? variable.default;
    const value = variable.parse(text ?? byDefault ?? "");
    if (text !== undefined && value === undefined) {
      const found = variable.secret ? "" : `, but is ${JSON.stringify(text)}`;
      problems.push(`${name} must be ${variable.expected}${found}`);
    }
    // A wrong value is undefined here, and nobody sees it: loadConfig throws.
    return value as Value<Name>;
  }

  const corsOrigins = read("CORS_ORIGINS");
  const publicUrl = read("PUBLIC_URL");
  const metricsPort = read("METRICS_PORT");
  const databaseUrlFromFile = read("DATABASE_URL_FILE");
  const config: Config = {
    environment: read("NODE_ENV"),
    host: read("HOST"),
    port: read("PORT"),
    ...(metricsPort !== undefined && { metricsPort }),
    metricsHost: read("METRICS_HOST"),
    webConcurrency: read("WEB_CONCURRENCY"),
    databaseUrl: databaseUrlFromFile ?? read("DATABASE_URL"),
    databasePoolSize: read("DATABASE_POOL_SIZE"),
    idempotencyKeyHours: read("IDEMPOTENCY_KEY_HOURS"),
    logLevel: read("LOG_LEVEL"),
    responseValidation: read("RESPONSE_VALIDATION"),
    responseSampling: read("RESPONSE_SAMPLING"),
    bodyLimitBytes: read("BODY_LIMIT_BYTES"),
    rateLimit: read("RATE_LIMIT"),
    failedAuthLimit: read("FAILED_AUTH_LIMIT"),
    trustedProxies: read("TRUSTED_PROXIES"),
    ...(corsOrigins !== undefined && { corsOrigins }),
    requestTimeoutMs: read("REQUEST_TIMEOUT_MS"),
    keepAliveTimeoutMs: read("KEEP_ALIVE_TIMEOUT_MS"),
    maxConnections: read("MAX_CONNECTIONS"),
    maxInFlight: read("MAX_IN_FLIGHT"),
    maxEventLoopDelayMs: read("MAX_EVENT_LOOP_DELAY_MS"),
    ...(publicUrl !== undefined && { publicUrl }),
    shutdownGraceMs: read("SHUTDOWN_GRACE_MS"),
    drainDelayMs: read("DRAIN_DELAY_MS"),
  };
  if (env["DATABASE_URL"] && env["DATABASE_URL_FILE"])
    problems.push("DATABASE_URL and DATABASE_URL_FILE must not both be set");
  if (problems.length === 0 && config.webConcurrency > 1 && isInMemory(config.databaseUrl)) {
    problems.push(
      "WEB_CONCURRENCY must be 1 with a database in memory: each process would have one of its own",
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function isInMemory(databaseUrl: string): boolean {
  const location = parseDatabaseUrl(databaseUrl);
  return location?.engine === "sqlite" && location.file === ":memory:";
}
