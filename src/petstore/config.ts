import { availableParallelism } from "node:os";
import {
  type ConfigVariable,
  HOST_OR_ADDRESS,
  integer,
  integerOrAuto,
  oneOf,
  parseOrigins,
  parsePublicUrl,
  RATE,
  readDatabaseUrl,
  type Variable,
} from "./config-variable.js";
import { OperatorError } from "./errors.js";
import type { Rate } from "./limits/rate.js";
import { DATABASE_URL_FORMS, parseDatabaseUrl } from "./store/open.js";

/** Configuration of the service, read by {@link loadConfig}. */
export interface Config {
  readonly environment: Environment;
  readonly host: string;
  readonly port: number;
  /** Absent: metrics are off. */
  readonly metricsPort?: number;
  readonly metricsHost: string;
  /** Number of processes that serve requests. */
  readonly webConcurrency: number;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly idempotencyKeyHours: number;
  readonly logLevel: LogLevel;
  readonly responseValidation: ResponseValidation;
  readonly responseSampling: number;
  readonly bodyLimitBytes: number;
  /** Per API key. */
  readonly rateLimit: Rate | "off";
  /** Requests with invalid keys, per network. */
  readonly failedAuthLimit: Rate | "off";
  /** Number of proxies in front of the service that write `X-Forwarded-For`. */
  readonly trustedProxies: number;
  /** In the form that browsers send. */
  readonly corsOrigins?: readonly string[];
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxInFlight: number;
  readonly maxEventLoopDelayMs: number;
  /** Without a trailing slash. */
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
  NODE_ENV: {
    ...oneOf(ENVIRONMENTS),
    default: "development",
    meaning: "Environment of the service; changes other defaults.",
  },
  HOST: {
    ...HOST_OR_ADDRESS,
    // A developer's machine must not serve its network by accident. In production a proxy or a container's port mapping
    // must be able to reach the service.
    default: "127.0.0.1",
    productionDefault: "0.0.0.0",
    meaning: "Address to listen on.",
  },
  PORT: { ...integer(0, 65_535), default: "3000", meaning: "TCP port to listen on; 0 uses any free port." },
  METRICS_PORT: {
    ...integer(0, 65_535),
    meaning: "TCP port for /metrics only; 0 uses any free port. Metrics are off when it is unset.",
  },
  METRICS_HOST: {
    ...HOST_OR_ADDRESS,
    // Not the default of HOST, because metrics are not public.
    default: "127.0.0.1",
    meaning: "Address that METRICS_PORT listens on.",
  },
  WEB_CONCURRENCY: {
    ...integerOrAuto(1, 1_024, availableParallelism),
    default: "1",
    meaning: "Number of processes that share the port; `auto`: one per CPU core.",
  },
  DATABASE_URL: {
    default: "sqlite:data/petstore.db",
    meaning: "Database; a SQLite path is relative to the working directory.",
    expected: DATABASE_URL_FORMS,
    parse: (text: string) => (parseDatabaseUrl(text) === undefined ? undefined : text),
    secret: true,
  },
  DATABASE_URL_FILE: {
    meaning: "File with the value of DATABASE_URL, such as a mounted secret; replaces DATABASE_URL.",
    expected: `a readable file that contains ${DATABASE_URL_FORMS}`,
    parse: readDatabaseUrl,
  },
  DATABASE_POOL_SIZE: {
    ...integer(1, 1000),
    default: "10",
    meaning: "Maximum number of connections from one process to a PostgreSQL server.",
  },
  IDEMPOTENCY_KEY_HOURS: {
    ...integer(24, 8_760),
    default: "24",
    meaning: "How long an `Idempotency-Key` is remembered, in hours.",
  },
  LOG_LEVEL: { ...oneOf(LOG_LEVELS), default: "info", meaning: "Lowest level that is logged." },
  RESPONSE_VALIDATION: {
    ...oneOf(RESPONSE_VALIDATIONS),
    default: "enforce",
    productionDefault: "report",
    meaning:
      "What happens to a response that violates the contract: `off` sends it, `report` also logs it, `enforce` sends 500 instead.",
  },
  RESPONSE_SAMPLING: {
    ...integer(1, 1_000_000),
    default: "1",
    productionDefault: "100",
    meaning: "Validate one in N responses; 1 validates all.",
  },
  BODY_LIMIT_BYTES: {
    ...integer(1, Number.MAX_SAFE_INTEGER),
    default: "102400",
    meaning: "Maximum size of a request body in bytes; larger bodies get 413.",
  },
  RATE_LIMIT: {
    ...RATE,
    default: "off",
    meaning: "Maximum requests per key, for example `100/60s`; further requests get 429.",
  },
  FAILED_AUTH_LIMIT: {
    ...RATE,
    default: "300/60s",
    meaning: "Maximum requests with invalid keys per network; further ones get 429 instead of 401.",
  },
  TRUSTED_PROXIES: {
    ...integer(0, 32),
    default: "0",
    meaning: "Number of proxies in front of the service that set `X-Forwarded-For`.",
  },
  CORS_ORIGINS: {
    meaning: "Origins whose pages may call the service from a browser, separated by commas.",
    expected: "origins such as https://shop.example,http://localhost:5173, without a trailing slash",
    parse: parseOrigins,
  },
  REQUEST_TIMEOUT_MS: {
    ...integer(1_000, 3_600_000),
    default: "10000",
    meaning: "Maximum time to receive a request, in milliseconds; slower requests get 408.",
  },
  KEEP_ALIVE_TIMEOUT_MS: {
    ...integer(1, 3_600_000),
    default: "5000",
    meaning:
      "How long an idle connection stays open, in milliseconds; must be longer than in a proxy in front.",
  },
  MAX_CONNECTIONS: {
    ...integer(1, 1_000_000),
    default: "10000",
    meaning: "Maximum number of connections per process; further ones are closed at once.",
  },
  MAX_IN_FLIGHT: {
    ...integer(1, 1_000_000),
    default: "1000",
    meaning: "Maximum number of operations in progress per process; further requests get 503.",
  },
  MAX_EVENT_LOOP_DELAY_MS: {
    ...integer(1, 60_000),
    // Higher in development, where the machine is busy with other programs too.
    default: "1000",
    productionDefault: "100",
    meaning:
      "Maximum time that requests may wait for the event loop, in milliseconds; beyond it they get 503.",
  },
  PUBLIC_URL: {
    meaning: "Public URL of the service without the version segment /v1; shown in the docs.",
    expected: "an absolute http or https URL without credentials, query, fragment and /v1",
    parse: parsePublicUrl,
  },
  SHUTDOWN_GRACE_MS: {
    ...integer(0, 600_000),
    default: "10000",
    meaning: "Maximum time for requests in progress to finish at shutdown, in milliseconds.",
  },
  DRAIN_DELAY_MS: {
    ...integer(0, 600_000),
    default: "0",
    productionDefault: "1500",
    meaning: "Time between failing /readyz and refusing connections at shutdown, in milliseconds.",
  },
} satisfies Record<string, Variable<unknown>>;

/** All environment variables of the service, in the order of the README. */
export const CONFIG_VARIABLES: readonly ConfigVariable[] = Object.entries<Variable<unknown>>(VARIABLES).map(
  ([name, { meaning, expected, default: value, productionDefault }]) => ({
    name,
    meaning,
    expected,
    ...(value !== undefined && { default: value }),
    ...(productionDefault !== undefined && { productionDefault }),
  }),
);

/** Environment variables are invalid. The message has one line for each. */
export class ConfigError extends OperatorError {
  override readonly name = "ConfigError";

  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

type Variables = typeof VARIABLES;

/** The type of a variable's value; undefined only when it has no default. */
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
    // An invalid value is undefined here, but then loadConfig throws.
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
      "WEB_CONCURRENCY must be 1 with a database in memory, because each process would have its own",
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function isInMemory(databaseUrl: string): boolean {
  const location = parseDatabaseUrl(databaseUrl);
  return location?.engine === "sqlite" && location.file === ":memory:";
}
