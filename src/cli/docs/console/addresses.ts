import { isNode, type Node, toArray, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { toFirstParagraph } from "./first-paragraph.js";

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

/** The servers that a document, path item or operation declares. */
export function readServers(node: Node): readonly ServerChoice[] {
  return toArray(node["servers"]).flatMap((server) => {
    const template = isNode(server) ? toText(server["url"]) : undefined;
    if (!isNode(server) || template === undefined) return [];
    const declared = isNode(server["variables"]) ? server["variables"] : {};
    const names = [...new Set([...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name))];
    const variables = names.map((name) => toVariable(name, getOwn(declared, name)));
    return [{ template, description: toFirstParagraph(toText(server["description"]) ?? ""), variables }];
  });
}

function toVariable(name: string, node: unknown): ServerVariable {
  const variable = isNode(node) ? node : {};
  return {
    name,
    default: toText(variable["default"]) ?? "",
    choices: toArray(variable["enum"]).filter((value) => typeof value === "string"),
    description: toFirstParagraph(toText(variable["description"]) ?? ""),
  };
}

/** The address of a server with values of its variables, by name; those that are missing have their default. */
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
 * The address that paths are below, without a trailing slash.
 * @param page Where the page is, which a relative address is relative to.
 * @returns undefined for what no page can call: another scheme than http and https, or no address at all.
 */
export function toBase(address: string, page: string): string | undefined {
  if (address.trim() === "" || !URL.canParse(address, page)) return undefined;
  const { protocol, origin, pathname, username, password } = new URL(address, page);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  // A page cannot send them, and a hostile address hides behind them where it really leads.
  if (username !== "" || password !== "") return undefined;
  let end = pathname.length;
  while (pathname.charAt(end - 1) === "/") end -= 1;
  return origin + pathname.slice(0, end);
}

/** Of the addresses that values of variables make, so many are looked at. */
const MOST = 100;

/**
 * The origins of the contract's own servers, for each value of a variable that has a list of them.
 * What is relative is the page's own origin, and not among them.
 */
export function listOrigins(document: Node): readonly string[] {
  const owners = [document, ...listOwners(document)];
  const origins = owners.flatMap(readServers).flatMap((server) =>
    fillAll(server).flatMap((address) => {
      const base = URL.canParse(address) ? toBase(address, address) : undefined;
      return base === undefined ? [] : [new URL(base).origin];
    }),
  );
  return [...new Set(origins)];
}

/** Path items and operations may have servers of their own. */
function listOwners(document: Node): readonly Node[] {
  const items = Object.values(isNode(document["paths"]) ? document["paths"] : {}).filter(isNode);
  return items.flatMap((item) => [item, ...Object.values(item).filter(isNode)]);
}

function fillAll(server: ServerChoice): readonly string[] {
  let all: readonly Readonly<Record<string, string>>[] = [{}];
  for (const { name, choices } of server.variables) {
    if (choices.length > 0)
      all = all.flatMap((values) => choices.map((value) => ({ ...values, [name]: value }))).slice(0, MOST);
  }
  return all.map((values) => fillServer(server, values));
}
