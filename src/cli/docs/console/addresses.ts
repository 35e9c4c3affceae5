import type { Contract, Server } from "tenon/core/model";
import { toFirstParagraph } from "../texts/markdown.js";
import { listLogins } from "./oauth.js";

/** A server of the contract, with the variables of its address. */
export interface ServerChoice {
  /** `https://{region}.example.com/v1` */
  readonly template: string;
  /** Its first paragraph. */
  readonly description: string;
  readonly variables: readonly ServerVariable[];
}

export interface ServerVariable {
  readonly name: string;
  readonly default: string;
  /** The values that it may have; empty: any. */
  readonly choices: readonly string[];
  /** Its first paragraph. */
  readonly description: string;
}

/** Lists the variables of a server's address, also those that are not declared. */
export function toServerChoice({ url, description = "", variables }: Server): ServerChoice {
  const names = [...new Set([...url.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name))];
  return {
    template: url,
    description: toFirstParagraph(description),
    variables: names.map((name) => {
      const declared = variables.find((variable) => variable.name === name);
      return {
        name,
        default: declared?.default ?? "",
        choices: declared?.enum ?? [],
        description: toFirstParagraph(declared?.description ?? ""),
      };
    }),
  };
}

/** Fills the variables of a server's address with values by name; a missing one has its default. */
export function fillServer(
  { template, variables }: ServerChoice,
  values: Readonly<Record<string, string>> = {},
): string {
  return variables.reduce(
    (url, { name, default: usual }) =>
      url.replaceAll(`{${name}}`, () => (Object.hasOwn(values, name) ? (values[name] ?? usual) : usual)),
    template,
  );
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
  const origins = [...all.map(toServerChoice).flatMap(fillAll), ...tokens].flatMap((address) => {
    const base = URL.canParse(address) ? toBase(address, address) : undefined;
    return base === undefined ? [] : [new URL(base).origin];
  });
  return [...new Set(origins)];
}

function fillAll(server: ServerChoice): readonly string[] {
  let all: readonly Readonly<Record<string, string>>[] = [{}];
  for (const { name, choices } of server.variables) {
    if (choices.length > 0)
      all = all
        .flatMap((values) => choices.map((value) => ({ ...values, [name]: value })))
        .slice(0, MAX_ADDRESSES);
  }
  return all.map((values) => fillServer(server, values));
}
