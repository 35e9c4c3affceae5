import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { type Config, CONFIG_VARIABLES, ConfigError, loadConfig } from "../../src/petstore/config.js";
import { createDirectory } from "../support/directory.js";

const development: Config = {
  environment: "development",
  host: "127.0.0.1",
  port: 3000,
  metricsHost: "127.0.0.1",
  webConcurrency: 1,
  databaseUrl: "sqlite:data/petstore.db",
  databasePoolSize: 10,
  idempotencyKeyHours: 24,
  logLevel: "info",
  responseValidation: "enforce",
  responseSampling: 1,
  bodyLimitBytes: 102_400,
  rateLimit: "off",
  failedAuthLimit: { limit: 300, windowSeconds: 60 },
  trustedProxies: 0,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  maxConnections: 10_000,
  maxInFlight: 1_000,
  maxUnsentBytes: 67_108_864,
  maxEventLoopDelayMs: 1_000,
  shutdownGraceMs: 10_000,
  drainDelayMs: 0,
};

type Environment = Record<string, string | undefined>;

function problemsOf(env: Environment): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("defaults", () => {
  test.each<[Environment, Config]>([
    [{}, development],
    [{ NODE_ENV: "test" }, { ...development, environment: "test" }],
    [
      { NODE_ENV: "production" },
      {
        ...development,
        environment: "production",
        host: "0.0.0.0",
        responseValidation: "report",
        responseSampling: 100,
        maxEventLoopDelayMs: 100,
        drainDelayMs: 1500,
      },
    ],
  ])("of %j", (env, config) => {
    expect(loadConfig(env)).toStrictEqual(config);
  });

  test("an empty value counts as unset", () => {
    const env = Object.fromEntries(CONFIG_VARIABLES.map(({ name }) => [name, ""]));
    expect(loadConfig(env)).toStrictEqual(development);
  });
});

describe("values", () => {
  test.each<[Environment, Partial<Config>]>([
    [{ HOST: "::1" }, { host: "::1" }],
    [{ HOST: "localhost" }, { host: "localhost" }],
    [{ NODE_ENV: "production", HOST: "10.0.0.1" }, { host: "10.0.0.1" }],
    [{ PORT: "0" }, { port: 0 }],
    [{ PORT: "65535" }, { port: 65_535 }],
    [{ METRICS_PORT: "9090" }, { metricsPort: 9090 }],
    [{ METRICS_HOST: "::" }, { metricsHost: "::" }],
    [{ WEB_CONCURRENCY: "8" }, { webConcurrency: 8 }],
    [{ WEB_CONCURRENCY: "auto" }, { webConcurrency: availableParallelism() }],
    [{ DATABASE_URL: "sqlite::memory:" }, { databaseUrl: "sqlite::memory:" }],
    [{ DATABASE_URL: "postgres://host/pets" }, { databaseUrl: "postgres://host/pets" }],
    [{ DATABASE_POOL_SIZE: "1" }, { databasePoolSize: 1 }],
    [{ IDEMPOTENCY_KEY_HOURS: "8760" }, { idempotencyKeyHours: 8760 }],
    [{ LOG_LEVEL: "silent" }, { logLevel: "silent" }],
    [{ NODE_ENV: "production", RESPONSE_VALIDATION: "enforce" }, { responseValidation: "enforce" }],
    [{ BODY_LIMIT_BYTES: "1" }, { bodyLimitBytes: 1 }],
    [{ RATE_LIMIT: "100/60s" }, { rateLimit: { limit: 100, windowSeconds: 60 } }],
    [{ RATE_LIMIT: "1000000/30d" }, { rateLimit: { limit: 1_000_000, windowSeconds: 2_592_000 } }],
    [{ FAILED_AUTH_LIMIT: "off" }, { failedAuthLimit: "off" }],
    [{ FAILED_AUTH_LIMIT: "5/2m" }, { failedAuthLimit: { limit: 5, windowSeconds: 120 } }],
    [{ TRUSTED_PROXIES: "2" }, { trustedProxies: 2 }],
    [
      { CORS_ORIGINS: "https://shop.example, http://localhost:5173" },
      { corsOrigins: ["https://shop.example", "http://localhost:5173"] },
    ],
    [{ REQUEST_TIMEOUT_MS: "60000" }, { requestTimeoutMs: 60_000 }],
    [{ KEEP_ALIVE_TIMEOUT_MS: "75000" }, { keepAliveTimeoutMs: 75_000 }],
    [{ MAX_CONNECTIONS: "100" }, { maxConnections: 100 }],
    [{ MAX_IN_FLIGHT: "50" }, { maxInFlight: 50 }],
    [{ MAX_EVENT_LOOP_DELAY_MS: "20" }, { maxEventLoopDelayMs: 20 }],
    [{ PUBLIC_URL: "https://pets.example" }, { publicUrl: "https://pets.example" }],
    [{ PUBLIC_URL: "http://localhost:3000/api/" }, { publicUrl: "http://localhost:3000/api" }],
    [{ SHUTDOWN_GRACE_MS: "0" }, { shutdownGraceMs: 0 }],
    [{ DRAIN_DELAY_MS: "5" }, { drainDelayMs: 5 }],
  ])("%j", (env, values) => {
    expect(loadConfig(env)).toMatchObject(values);
  });
});

describe("problems", () => {
  test.each<[Environment, string]>([
    [{ PORT: "abc" }, 'PORT must be an integer from 0 to 65535, but is "abc"'],
    [{ PORT: "65536" }, 'PORT must be an integer from 0 to 65535, but is "65536"'],
    [{ PORT: "-1" }, 'PORT must be an integer from 0 to 65535, but is "-1"'],
    [{ PORT: "1e3" }, 'PORT must be an integer from 0 to 65535, but is "1e3"'],
    [{ PORT: " 80" }, 'PORT must be an integer from 0 to 65535, but is " 80"'],
    [{ METRICS_PORT: "on" }, 'METRICS_PORT must be an integer from 0 to 65535, but is "on"'],
    [{ WEB_CONCURRENCY: "0" }, 'WEB_CONCURRENCY must be an integer from 1 to 1024, or auto, but is "0"'],
    [{ WEB_CONCURRENCY: "max" }, 'WEB_CONCURRENCY must be an integer from 1 to 1024, or auto, but is "max"'],
    [
      { WEB_CONCURRENCY: "2", DATABASE_URL: "sqlite::memory:" },
      "WEB_CONCURRENCY must be 1 with a database in memory, because each process would have its own",
    ],
    [{ NODE_ENV: "prod" }, 'NODE_ENV must be one of development, test, production, but is "prod"'],
    [
      { LOG_LEVEL: "INFO" },
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, but is "INFO"',
    ],
    [{ RESPONSE_VALIDATION: "on" }, 'RESPONSE_VALIDATION must be one of off, report, enforce, but is "on"'],
    [{ HOST: "http://x" }, 'HOST must be an IP address or a host name, but is "http://x"'],
    [{ BODY_LIMIT_BYTES: "0" }, 'BODY_LIMIT_BYTES must be an integer from 1 to 16777216, but is "0"'],
    [{ DATABASE_POOL_SIZE: "0" }, 'DATABASE_POOL_SIZE must be an integer from 1 to 1000, but is "0"'],
    [
      { IDEMPOTENCY_KEY_HOURS: "23" },
      'IDEMPOTENCY_KEY_HOURS must be an integer from 24 to 8760, but is "23"',
    ],
    [{ SHUTDOWN_GRACE_MS: "x" }, 'SHUTDOWN_GRACE_MS must be an integer from 0 to 600000, but is "x"'],
  ])("%j", (env, problem) => {
    expect(problemsOf(env)).toStrictEqual([problem]);
  });

  test("a body limit that no memory holds", () => {
    expect(problemsOf({ BODY_LIMIT_BYTES: "99000000000" })).toHaveLength(1);
  });

  test.each([
    ["BODY_LIMIT_BYTE", "BODY_LIMIT_BYTES"],
    ["RATE_LIMITS", "RATE_LIMIT"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["CORS_ORIGIN", "CORS_ORIGINS"],
    ["TRUSTED_PROXYS", "TRUSTED_PROXIES"],
    ["database_url", "DATABASE_URL"],
  ])("%s, which is a misspelt %s", (name, meant) => {
    expect(problemsOf({ [name]: "1" })).toStrictEqual([`${name} is unknown; use ${meant}`]);
  });

  test.each(["HOSTNAME", "PORTS", "NODE_PATH", "NODE_OPTIONS", "POSTGRES_PORT", "PGDATABASE"])(
    "%s belongs to another program",
    (name) => {
      expect(problemsOf({ [name]: "1" })).toStrictEqual([]);
    },
  );

  test.each(["100", "0/60s", "100/0s", "100/60", "1e2/60s", "1000001/1s", "1/31d", "100 / 60s", "none"])(
    "RATE_LIMIT %s",
    (rate) => {
      expect(problemsOf({ RATE_LIMIT: rate })).toStrictEqual([
        `RATE_LIMIT must be off, or requests and a time such as 100/60s, from 1 to 1000000 in 1s to 30d, but is "${rate}"`,
      ]);
    },
  );

  test.each([
    "*",
    "null",
    "shop.example",
    "https://shop.example/",
    "https://SHOP.example",
    "https://shop.example:443",
    "https://*.example",
    "https://a.example,",
    "https://a.example https://b.example",
    "file://x",
  ])("CORS_ORIGINS %s", (origins) => {
    expect(problemsOf({ CORS_ORIGINS: origins })).toStrictEqual([
      expect.stringMatching(/^CORS_ORIGINS must be origins such as /),
    ]);
  });

  test.each([
    "pets.example",
    "ftp://pets.example",
    "https://a:b@pets.example",
    "https://x/v1",
    "https://x/?a",
    "https://x/#a",
  ])("PUBLIC_URL %s", (url) => {
    expect(problemsOf({ PUBLIC_URL: url })).toStrictEqual([
      expect.stringMatching(/^PUBLIC_URL must be an absolute/),
    ]);
  });

  test("a wrong DATABASE_URL is not printed: it may hold a password", () => {
    expect(problemsOf({ DATABASE_URL: "mysql://user:secret@host/pets" })).toStrictEqual([
      "DATABASE_URL must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE",
    ]);
  });

  test("the text of DATABASE_URL_FILE takes the place of DATABASE_URL, and is not printed either", () => {
    const file = join(createDirectory(), "secret");
    writeFileSync(file, "postgres://user:secret@host/pets\n");
    expect(loadConfig({ DATABASE_URL_FILE: file })).toMatchObject({
      databaseUrl: "postgres://user:secret@host/pets",
    });
    expect(problemsOf({ DATABASE_URL_FILE: file, DATABASE_URL: "sqlite:a.db" })).toStrictEqual([
      "DATABASE_URL and DATABASE_URL_FILE must not both be set",
    ]);
    writeFileSync(file, "mysql://user:secret@host/pets");
    const expected = "DATABASE_URL_FILE must be a readable file that contains sqlite:PATH, ";
    const large = `${file}.large`;
    writeFileSync(large, "postgres://user:secret@host/pets".padEnd(65_537));
    for (const [path, found] of [
      [file, "contains something else"],
      [`${file}.missing`, "cannot be read (ENOENT)"],
      [dirname(file), "is not a regular file"],
      [large, "is larger than 65536 bytes"],
    ] as const) {
      const [problem = ""] = problemsOf({ DATABASE_URL_FILE: path });
      expect(problem).toContain(expected);
      expect(problem).toMatch(new RegExp(`, but ${JSON.stringify(path)} ${found.replace(/[()]/g, "\\$&")}$`));
      expect(problem).not.toContain("secret@");
    }
  });

  test("all are told at once, one a line", () => {
    expect(() => loadConfig({ PORT: "abc", LOG_LEVEL: "loud" })).toThrow(/^PORT must .*\nLOG_LEVEL must .*$/);
  });
});

test("CONFIG_VARIABLES: every variable is described, and each documented default is the one in use", () => {
  const names = CONFIG_VARIABLES.map(({ name }) => name);
  expect(names).toHaveLength(Object.keys(development).length + 4);
  for (const { name, meaning, expected, default: value, productionDefault } of CONFIG_VARIABLES) {
    expect(meaning).toMatch(/\.$/);
    expect(expected).not.toBe("");
    // One without a default stays unset.
    expect(loadConfig({ [name]: value })).toStrictEqual(loadConfig({}));
    const env = { NODE_ENV: "production" };
    const given = productionDefault === undefined ? {} : { [name]: productionDefault };
    expect(loadConfig({ ...env, ...given })).toStrictEqual(loadConfig(env));
  }
});
