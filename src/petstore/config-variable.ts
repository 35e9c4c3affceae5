import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import type { Rate } from "./limits/rate-limiter.js";
import { parseDatabaseUrl } from "./store/open.js";

/** An environment variable, as the table in the README shows it, with its parser. */
export interface Variable<T> {
  readonly name: string;
  readonly meaning: string;
  /** Describes valid values; completes `PORT must be …`. */
  readonly expected: string;
  /** Value when the variable is unset or empty. */
  readonly default?: string;
  /** Default when NODE_ENV is `production`. */
  readonly productionDefault?: string;
  /** @returns undefined when the text is invalid. */
  readonly parse: (text: string) => T | undefined;
  /** Describes an invalid value; completes `PORT must be …, but `. Default: the value itself. */
  readonly found?: (text: string) => string;
  /** True when the value may contain a password; it is then never printed. */
  readonly secret?: true;
}

/** The part of a variable that depends on its type. */
type Parser<T> = Pick<Variable<T>, "name" | "expected" | "parse">;

export function oneOf<const T extends string>(name: string, values: readonly T[]): Parser<T> {
  return {
    name,
    expected: `one of ${values.join(", ")}`,
    parse: (text) => values.find((value) => value === text),
  };
}

export function integer(name: string, minimum: number, maximum: number): Parser<number> {
  return {
    name,
    expected: `an integer from ${minimum} to ${maximum}`,
    parse: (text) => {
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

/** @param auto Returns the value of `auto`. */
export function integerOrAuto(
  name: string,
  minimum: number,
  maximum: number,
  auto: () => number,
): Parser<number> {
  const { expected, parse } = integer(name, minimum, maximum);
  return {
    name,
    expected: `${expected}, or auto`,
    parse: (text) => (text === "auto" ? auto() : parse(text)),
  };
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Parses `100/60s`, `5000/1h` or `off`. */
export function rate(name: string): Parser<Rate | "off"> {
  const expected = "off, or requests and a time such as 100/60s, from 1 to 1000000 in 1s to 30d";
  const parse = (text: string): Rate | "off" | undefined => {
    if (text === "off") return text;
    const [, limitText, count, unit] = /^(\d{1,7})\/(\d{1,7})([smhd])$/.exec(text) ?? [];
    if (limitText === undefined) return undefined;
    const limit = Number(limitText);
    const windowSeconds = Number(count) * SECONDS[unit as keyof typeof SECONDS];
    const isValid = limit >= 1 && limit <= 1_000_000 && windowSeconds >= 1 && windowSeconds <= 30 * SECONDS.d;
    return isValid ? { limit, windowSeconds } : undefined;
  };
  return { name, expected, parse };
}

export function hostOrAddress(name: string): Parser<string> {
  return {
    name,
    expected: "an IP address or a host name",
    parse: (text) =>
      isIP(text) > 0 || /^[0-9A-Za-z]([-.0-9A-Za-z]*[0-9A-Za-z])?$/.test(text) ? text : undefined,
  };
}

/**
 * Parses origins separated by commas.
 * @returns undefined when one differs from the form that browsers send; `*` and `null` are not allowed.
 */
export function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(",").map((origin) => origin.trim());
  const isOrigin = (origin: string): boolean =>
    /^https?:\/\/[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}

/** Maximum size of a file that a variable names, in bytes. */
const FILE_LIMIT = 65_536;

/** Parses the name of a file that contains a database URL, with or without a line break at its end. */
export const DATABASE_URL_IN_FILE: Pick<Variable<string>, "parse" | "found"> = {
  parse(file) {
    if (findFileProblem(file) !== undefined) return undefined;
    const text = readFileSync(file, "utf8").trim();
    return parseDatabaseUrl(text) === undefined ? undefined : text;
  },
  found: (file) => `${JSON.stringify(file)} ${findFileProblem(file) ?? "contains something else"}`,
};

/** Reading a pipe or a device may never end. */
function findFileProblem(file: string): string | undefined {
  try {
    accessSync(file, constants.R_OK);
    const stats = statSync(file);
    if (!stats.isFile()) return "is not a regular file";
    return stats.size > FILE_LIMIT ? `is larger than ${FILE_LIMIT} bytes` : undefined;
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? ""})`;
  }
}

/** Parses the public URL of the service and removes a trailing slash. */
export function parsePublicUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) return undefined;
  // `href` has more than origin and path when there are credentials, a query or a fragment.
  const base = url.origin + url.pathname;
  return url.href === base && !/\/v1\/?$/.test(base) ? base.replace(/\/+$/, "") : undefined;
}

/** The shortest name that is compared with others: short ones, such as HOST, are similar to those of other programs. */
const COMPARED_LENGTH = 9;

/**
 * Tests whether `name` differs from `known` in its case, or in the characters between what they have in common at both ends, at most
 * two on each side.
 * @example
 * isMisspelling("TRUSTED_PROXYS", "TRUSTED_PROXIES") // true
 */
export function isMisspelling(name: string, known: string): boolean {
  if (known.length < COMPARED_LENGTH || Math.abs(name.length - known.length) > 1) return false;
  const text = name.toUpperCase();
  const shorter = Math.min(text.length, known.length);
  let start = 0;
  while (start < shorter && text[start] === known[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === known.at(-1 - end)) end += 1;
  return Math.max(text.length, known.length) - start - end <= 2;
}
