import type { Contract } from "tenon/core/model";
import { listOrigins } from "./addresses.js";

/** An origin that the console may call: `https://api.example.com`, `http://localhost:3000`, or any port: `http://localhost:*`. */
const ORIGIN = /^https?:\/\/(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::(?:\d+|\*))?$/i;

export function isCallableOrigin(text: string): boolean {
  return ORIGIN.test(text);
}

/**
 * The origins besides its own that the console of a contract may call: those of its servers, of the service where it is
 * elsewhere, and those that the site's owner allows.
 * @throws {TypeError} for an allowed origin that is none: it would become part of a policy.
 */
export function listCallable(
  contract: Contract,
  {
    service,
    allowed = [],
  }: { readonly service: string | undefined; readonly allowed: readonly string[] | undefined },
): readonly string[] {
  const wrong = allowed.find((origin) => !isCallableOrigin(origin));
  if (wrong !== undefined)
    throw new TypeError(
      `"${wrong}" is not an origin that the console can call, for example "http://localhost:3000"`,
    );
  const own = service !== undefined && URL.canParse(service) ? [new URL(service).origin] : [];
  const servers = listOrigins(contract);
  return [...new Set([...own, ...servers, ...allowed])].filter((origin) => ORIGIN.test(origin));
}

/**
 * What the console's page may load and call. It shows images that services answer with, which it holds itself (`blob:`). What is
 * written into the page is text: no script can make an element from it (`require-trusted-types-for`).
 */
export function createConsolePolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src data: blob:",
    `connect-src ${["'self'", ...origins].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
