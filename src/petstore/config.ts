import { availableParallelism } from "node:os";
import {
  DATABASE_URL_IN_FILE,
  hostOrAddress,
  integer,
  integerOrAuto,
  isMisspelling,
  oneOf,
  parseOrigins,
  parsePublicUrl,
  rate,
  type Variable,
} from "./config-variable.js";
import { OperatorError } from "./errors.js";
import { DATABASE_URL_FORMS, parseDatabaseUrl } from "./store/open.js";

/** The variables by their name in {@link Config}. */
const VARIABLES = {
  environment: {
    ...oneOf("NODE_ENV", ["development", "test", "production"]),
    default: "development",
    meaning: "Environment of the service; changes other defaults.",
  },
  host: {
    ...hostOrAddress("HOST"),
    // A developer's machine must not serve its network by accident. In production a proxy or a container's port mapping
    // must be able to reach the service.
    default: "127.0.0.1",
    productionDefault: "0.0.0.0",
    meaning: "Address to listen on.",
  },
  port: {
    ...integer("PORT", 0, 65_535),
    default: "3000",
    meaning: "TCP port to listen on; 0 uses any free port.",
  },
  metricsPort: {
    ...integer("METRICS_PORT", 0, 65_535),
    meaning: "TCP port for /metrics only; 0 uses any free port. Metrics are off when it is unset.",
  },
  metricsHost: {
    ...hostOrAddress("METRICS_HOST"),
    // Not the default of HOST, because metrics are not public.
    default: "127.0.0.1",
    meaning: "Address that METRICS_PORT listens on.",
  },
  webConcurrency: {
    ...integerOrAuto("WEB_CONCURRENCY", 1, 1_024, availableParallelism),
    default: "1",
    meaning: "Number of processes that share the port; `auto`: one per CPU core.",
  },
  databaseUrl: {
    name: "DATABASE_URL",
    default: "sqlite:data/petstore.db",
    meaning: "Database; a SQLite path is relative to the working directory.",
    expected: DATABASE_URL_FORMS,
    parse: (text: string) => (parseDatabaseUrl(text) === undefined ? undefined : text),
    secret: true,
  },
  databaseUrlFile: {
    name: "DATABASE_URL_FILE",
    meaning: "File with the value of DATABASE_URL, such as a mounted secret; replaces DATABASE_URL.",
    expected: `a readable file that contains ${DATABASE_URL_FORMS}`,
    ...DATABASE_URL_IN_FILE,
  },
  databasePoolSize: {
    ...integer("DATABASE_POOL_SIZE", 1, 1000),
    default: "10",
    meaning: "Maximum number of connections from one process to a PostgreSQL server.",
  },
  idempotencyKeyHours: {
    ...integer("IDEMPOTENCY_KEY_HOURS", 24, 8_760),
    default: "24",
    meaning: "How long an `Idempotency-Key` is remembered, in hours.",
  },
  logLevel: {
    ...oneOf("LOG_LEVEL", ["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    default: "info",
    meaning: "Lowest level that is logged.",
  },
  responseValidation: {
    ...oneOf("RESPONSE_VALIDATION", ["off", "report", "enforce"]),
    default: "enforce",
    productionDefault: "report",
    meaning:
      "What happens to a response that violates the contract: `off` sends it, `report` also logs it, `enforce` sends 500 instead.",
  },
  responseSampling: {
    ...integer("RESPONSE_SAMPLING", 1, 1_000_000),
    default: "1",
    productionDefault: "100",
    meaning: "Validate one in N responses; 1 validates all.",
  },
  bodyLimitBytes: {
    // Bodies are kept in memory while they are read.
    ...integer("BODY_LIMIT_BYTES", 1, 16_777_216),
    default: "102400",
    meaning: "Maximum size of a request body in bytes; larger bodies get 413.",
  },
  rateLimit: {
    ...rate("RATE_LIMIT"),
    default: "off",
    meaning: "Maximum requests per key, for example `100/60s`; further requests get 429.",
  },
  failedAuthLimit: {
    ...rate("FAILED_AUTH_LIMIT"),
    default: "300/60s",
    meaning: "Maximum requests with invalid keys per network; further ones get 429 instead of 401.",
  },
  trustedProxies: {
    ...integer("TRUSTED_PROXIES", 0, 32),
    default: "0",
    meaning: "Number of proxies in front of the service that set `X-Forwarded-For`.",
  },
  corsOrigins: {
    name: "CORS_ORIGINS",
    meaning: "Origins whose pages may call the service from a browser, separated by commas.",
    expected: "origins such as https://shop.example,http://localhost:5173, without a trailing slash",
    parse: parseOrigins,
  },
  requestTimeoutMs: {
    ...integer("REQUEST_TIMEOUT_MS", 1_000, 3_600_000),
    default: "10000",
    meaning: "Maximum time to receive a request, in milliseconds; slower requests get 408.",
  },
  keepAliveTimeoutMs: {
    ...integer("KEEP_ALIVE_TIMEOUT_MS", 1, 3_600_000),
    default: "5000",
    meaning:
      "How long an idle connection stays open, in milliseconds; must be longer than in a proxy in front.",
  },
  maxConnections: {
    ...integer("MAX_CONNECTIONS", 1, 1_000_000),
    default: "10000",
    meaning: "Maximum number of connections per process; further ones are closed at once.",
  },
  maxInFlight: {
    ...integer("MAX_IN_FLIGHT", 1, 1_000_000),
    default: "1000",
    meaning: "Maximum number of operations in progress per process; further requests get 503.",
  },
  maxUnsentBytes: {
    ...integer("MAX_UNSENT_BYTES", 1_048_576, 1_099_511_627_776),
    default: "67108864",
    meaning:
      "Maximum bytes of responses per process that callers have not read yet; beyond it requests get 503.",
  },
  maxEventLoopDelayMs: {
    ...integer("MAX_EVENT_LOOP_DELAY_MS", 1, 60_000),
    // Higher in development, where the machine is busy with other programs too.
    default: "1000",
    productionDefault: "100",
    meaning:
      "Maximum time that requests may wait for the event loop, in milliseconds; beyond it they get 503.",
  },
  publicUrl: {
    name: "PUBLIC_URL",
    meaning: "Public URL of the service without the version segment /v1; shown in the docs.",
    expected: "an absolute http or https URL without credentials, query, fragment and /v1",
    parse: parsePublicUrl,
  },
  shutdownGraceMs: {
    ...integer("SHUTDOWN_GRACE_MS", 0, 600_000),
    default: "10000",
    meaning: "Maximum time for requests in progress to finish at shutdown, in milliseconds.",
  },
  drainDelayMs: {
    ...integer("DRAIN_DELAY_MS", 0, 600_000),
    default: "0",
    productionDefault: "1500",
    meaning: "Time between failing /readyz and refusing connections at shutdown, in milliseconds.",
  },
} satisfies Record<string, Variable<unknown>>;

/** All environment variables of the service, in the order of the README. */
export const CONFIG_VARIABLES: readonly Variable<unknown>[] = Object.values(VARIABLES);

type Variables = typeof VARIABLES;

/** The type of a variable's value. */
type Value<Name extends keyof Variables> = NonNullable<ReturnType<Variables[Name]["parse"]>>;

/** Variables without a default. */
type Optional = {
  [Name in keyof Variables]: "default" extends keyof Variables[Name] ? never : Name;
}[keyof Variables];

/** Configuration of the service, read by {@link loadConfig}. What is unset and has no default is absent. */
export type Config = { readonly [Name in Exclude<keyof Variables, Optional>]: Value<Name> } & {
  readonly [Name in Exclude<Optional, "databaseUrlFile">]?: Value<Name>;
};

/** Environment variables are invalid. The message has one line for each. */
export class ConfigError extends OperatorError {
  override readonly name = "ConfigError";

  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/**
 * Reads the configuration from environment variables. An empty value counts as unset.
 * @throws {ConfigError} with all problems at once.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values = Object.entries<Variable<unknown>>(VARIABLES).map(([key, variable]) => {
    const text = env[variable.name] === "" ? undefined : env[variable.name];
    const byDefault =
      (env["NODE_ENV"] === "production" ? variable.productionDefault : undefined) ?? variable.default;
    const value = variable.parse(text ?? byDefault ?? "");
    if (text !== undefined && value === undefined) {
      const found = variable.found?.(text) ?? `is ${JSON.stringify(text)}`;
      problems.push(
        `${variable.name} must be ${variable.expected}${variable.secret ? "" : `, but ${found}`}`,
      );
    }
    return [key, value] as const;
  });
  const { databaseUrlFile, ...config } = Object.fromEntries(
    values.filter(([, value]) => value !== undefined),
  ) as unknown as Config & { databaseUrlFile?: string };
  const loaded = databaseUrlFile === undefined ? config : { ...config, databaseUrl: databaseUrlFile };
  problems.push(...findMisspellings(Object.keys(env)));
  if (env["DATABASE_URL"] && env["DATABASE_URL_FILE"])
    problems.push("DATABASE_URL and DATABASE_URL_FILE must not both be set");
  if (problems.length === 0 && loaded.webConcurrency > 1 && loaded.databaseUrl === "sqlite::memory:") {
    problems.push(
      "WEB_CONCURRENCY must be 1 with a database in memory, because each process would have its own",
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return loaded;
}

/** Other variables belong to other programs, so only names that are similar to one of the service are unknown. */
function findMisspellings(names: readonly string[]): readonly string[] {
  const known = CONFIG_VARIABLES.map(({ name }) => name);
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((candidate) => isMisspelling(name, candidate));
      return meant === undefined ? [] : [`${name} is unknown; use ${meant}`];
    });
}
