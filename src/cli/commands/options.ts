import { InvalidArgumentError } from "commander";

/** Every command selects APIs with this option. */
const OPTION = "--api <name>";
export const API = [OPTION, "API of redocly.yaml, when there are several"] as const;
export const APIS = [OPTION, "API of redocly.yaml; may be repeated (default: all)", collect] as const;
export const CONTRACT = [OPTION, "API of redocly.yaml, a file or a URL (default: the only API)"] as const;
export const CONTRACTS = [
  OPTION,
  "API of redocly.yaml, a file or a URL; may be repeated (default: all of redocly.yaml)",
  collect,
] as const;
export const JSON_FLAG = ["--json", "print one JSON document, for machines"] as const;
export const NOTHING_WRITTEN = { consequence: "nothing was written" };

/** The option of commands that take several APIs. */
export interface ApisFlag {
  readonly api?: readonly string[];
}

export interface JsonFlag {
  readonly json?: boolean;
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

// Commander reports an invalid value with its option.

export function toPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() === "" || !(percent >= 0 && percent <= 100))
    throw new InvalidArgumentError("It must be a number from 0 to 100.");
  return percent;
}

export function toCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be 0 or more.");
  return Number(text);
}

export function toPositive(text: string): number {
  const number = Number(text);
  if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError("It must be more than 0.");
  return number;
}

export function toPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError("It must be 0 to 65535.");
  return Number(text);
}

export function toDelay(text: string): readonly [number, number] {
  const [, least = "", most = least] = /^(\d{1,6})(?:\.\.(\d{1,6}))?$/.exec(text) ?? [];
  if (least === "" || Number(least) > Number(most)) {
    throw new InvalidArgumentError("It must be milliseconds, for example 100, or 50..200.");
  }
  return [Number(least), Number(most)];
}

export function toShare(text: string): number {
  const share = /^\d+(?:\.\d+)?%$/.test(text) ? Number(text.slice(0, -1)) / 100 : Number.NaN;
  if (!(share <= 1)) throw new InvalidArgumentError("It must be 0% to 100%, for example 5%.");
  return share;
}

export function toService(text: string): string {
  if (/^(?:\.\.)?\/(?!\/)/.test(text) || (/^https?:\/\/[^/]/.test(text) && URL.canParse(text))) return text;
  throw new InvalidArgumentError(
    "It must be a path, for example /v1, or an address, for example https://api.example/v1.",
  );
}
