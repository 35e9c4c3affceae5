import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { parseRate, type Rate, RATE_FORM } from "./limits/rate.js";
import { parseDatabaseUrl } from "./store/database-url.js";

/** One environment variable, as a table of the documentation shows it. */
export interface ConfigVariable {
  readonly name: string;
  readonly meaning: string;
  /** What a value must be: completes `PORT must be …`. */
  readonly expected: string;
  /** Used when the variable is unset or empty; none when absent. */
  readonly default?: string;
  /** Used in its place when NODE_ENV is `production`. */
  readonly productionDefault?: string;
}

/** A variable with the way to read it; undefined means that the text is not what is expected. */
export interface Variable<T> extends Omit<ConfigVariable, "name"> {
  readonly parse: (text: string) => T | undefined;
  /** The value may hold a password and is never printed. */
  readonly secret?: true;
}

/** How a value is read, of whatever else is known of a variable. */
type Read<T> = Pick<Variable<T>, "expected" | "parse">;

interface Description {
  readonly meaning: string;
  readonly default?: string;
  readonly productionDefault?: string;
}

export function oneOf<T extends string, D extends Description>(
  values: readonly T[],
  description: D,
): D & Read<T> {
  return {
    ...description,
    expected: `one of ${values.join(", ")}`,
    parse: (text) => values.find((value) => value === text),
  };
}

export function integer<D extends Description>(
  minimum: number,
  maximum: number,
  description: D,
): D & Read<number> {
  return {
    ...description,
    expected: `an integer from ${minimum} to ${maximum}`,
    parse: (text) => {
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

export function integerOrAuto<D extends Description>(
  minimum: number,
  maximum: number,
  auto: () => number,
  description: D,
): D & Read<number> {
  const { expected, parse } = integer(minimum, maximum, description);
  return {
    ...description,
    expected: `${expected}, or auto`,
    parse: (text) => (text === "auto" ? auto() : parse(text)),
  };
}

export function rate(description: Description): Variable<Rate | "off"> {
  return { ...description, expected: RATE_FORM, parse: parseRate };
}

/**
 * Reads origins with commas between them.
 * @returns undefined when one is not written as browsers send it: `*` and `null` are none either.
 */
export function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(",").map((origin) => origin.trim());
  const isOrigin = (origin: string): boolean =>
    /^https?:\/\/[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}

export function host<D extends Description>(description: D): D & Read<string> {
  return {
    ...description,
    expected: "an IP address or a host name",
    parse: (text) =>
      isIP(text) > 0 || /^[0-9A-Za-z]([-.0-9A-Za-z]*[0-9A-Za-z])?$/.test(text) ? text : undefined,
  };
}

/** Files that are written by hand end with a line break. */
export function readDatabaseUrl(file: string): string | undefined {
  try {
    const text = readFileSync(file, "utf8").trim();
    return parseDatabaseUrl(text) === undefined ? undefined : text;
  } catch {
    return undefined;
  }
}

export function parsePublicUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) return undefined;
  // `href` differs from origin and path when there are credentials, a query or a fragment.
  const base = url.origin + url.pathname;
  return url.href === base && !/\/v1\/?$/.test(base) ? base.replace(/\/+$/, "") : undefined;
}
