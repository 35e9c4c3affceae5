import { getOwn } from "tenon/core/document";
import { type Contract, type Server, type ServerVariable, toServerUrl } from "tenon/core/model";
import { listLogins } from "./oauth.js";

/** Lists the variables of a server's address, also those that are not declared. */
export function listVariables({ pointer, url, variables }: Server): readonly ServerVariable[] {
  const names = new Set([...url.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name));
  const find = (name: string) => variables.find((variable) => variable.name === name);
  return [...names].map((name) => find(name) ?? { pointer, name, enum: [] });
}

/** Fills the variables of a server's address with values by name; a missing one has its default. */
export function fillServer(server: Server, values: Readonly<Record<string, string>> = {}): string {
  const variables = listVariables(server).map((variable) => ({
    ...variable,
    default: getOwn(values, variable.name) ?? variable.default ?? "",
  }));
  return toServerUrl({ ...server, variables });
}

/**
 * Resolves the address that paths are below, without a trailing slash.
 * @param page Address of the page, which a relative address is relative to.
 * @returns undefined for an invalid address, and for a scheme that is neither http nor https.
 */
export function toBase(address: string, page: string): string | undefined {
  if (address.trim() === "" || !URL.canParse(address, page)) return undefined;
  const { protocol, origin, pathname, username, password } = new URL(address, page);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  // A page cannot send them, and a hostile address hides its real host behind them.
  if (username !== "" || password !== "") return undefined;
  let end = pathname.length;
  while (pathname.charAt(end - 1) === "/") end -= 1;
  return origin + pathname.slice(0, end);
}

/** Limits the combinations of values of a server's variables. */
const MAX_ADDRESSES = 100;

/**
 * Lists the origins of the contract's servers, for each value of a variable that has a list of them, and those that issue tokens. A
 * relative address, which is of the page's own origin, is left out.
 */
export function listOrigins(contract: Contract): readonly string[] {
  const { servers, pathItems, operations, securitySchemes } = contract;
  const all = [...servers, ...[...pathItems, ...operations].flatMap((owner) => owner.servers)];
  const tokens = securitySchemes.flatMap(listLogins).map(({ tokenUrl }) => tokenUrl);
  const origins = [...all.flatMap(fillAll), ...tokens].flatMap((address) => {
    const base = URL.canParse(address) ? toBase(address, address) : undefined;
    return base === undefined ? [] : [new URL(base).origin];
  });
  return [...new Set(origins)];
}

function fillAll(server: Server): readonly string[] {
  let all: readonly Readonly<Record<string, string>>[] = [{}];
  for (const { name, enum: choices } of listVariables(server)) {
    if (choices.length > 0)
      all = all
        .flatMap((values) => choices.map((value) => ({ ...values, [name]: value })))
        .slice(0, MAX_ADDRESSES);
  }
  return all.map((values) => fillServer(server, values));
}
