import process from "node:process";
import type { Contract } from "tenon/core/model";
import { type Credentials, toVariable } from "../verify/index.js";
import { UsageError } from "../output/context.js";

/** Options of commands that call a service. */
export interface CredentialFlags {
  /** `bearerAuth=KEY` */
  readonly auth?: readonly string[];
  /** `X-Tenant: 7` */
  readonly header?: readonly string[];
}

/** An address without a path gets the contract's base path. */
export function toBase(url: string, { basePath }: Contract): URL {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`"${url}" is not the URL of a service. Use one such as http://localhost:3000/v1.`);
  }
  const base = new URL(url);
  if (base.username !== "" || base.search !== "") {
    throw new UsageError("The URL must not contain a user or a query. Pass credentials with --auth.");
  }
  return base.pathname === "/" ? new URL(`${base.origin}${basePath}/`) : base;
}

export function readCredentials(
  { auth = [], header = [] }: CredentialFlags,
  { securitySchemes }: Contract,
): Credentials {
  const keys = new Map<string, string>();
  const schemes = securitySchemes.map(({ name }) => name);
  for (const scheme of schemes) {
    const value = process.env[toVariable(scheme)];
    if (value !== undefined && value !== "") keys.set(scheme, value);
  }
  for (const text of auth) {
    const [scheme, value] = split(text, "=");
    if (value === undefined)
      throw new UsageError("--auth must be a security scheme and a credential, such as bearerAuth=KEY.");
    if (!schemes.includes(scheme)) {
      throw new UsageError(
        `Unknown security scheme "${scheme}". The contract declares ${schemes.join(", ") || "none"}.`,
      );
    }
    keys.set(scheme, value);
  }
  const headers = header.map((text) => {
    const [name, value] = split(text, ":");
    if (value === undefined || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new UsageError(`--header must be a name and a value, such as "X-Tenant: 7".`);
    }
    return [name, value.trim()] as const;
  });
  return { keys, headers };
}

export function split(text: string, separator: string): readonly [string, string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}
