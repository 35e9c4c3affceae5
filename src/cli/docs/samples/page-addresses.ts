import { isNode, type Node } from "tenon/core/document";

/**
 * Samples are made before anybody knows where the page is read, which their addresses may depend on. Until then, an address is
 * between two of these characters, which Unicode keeps for private use.
 */
const MARK = "\u{E000}";

/** What stands in a sample for the address of a server, which may be relative to the page. */
export function markAddress(url: string): string {
  return `${MARK}${url.replaceAll(MARK, "")}${MARK}`;
}

/** The address of a service at an unknown place (RFC 2606, section 3). */
const UNKNOWN = "https://service.example";

/**
 * A contract as a page at an address shows it: its servers and those of its samples have whole addresses. In a folder on disk,
 * nothing is relative to the page: servers that are leave, and samples call the next one.
 * @param page `location.href`.
 */
export function resolveAddresses<Contract extends object>(contract: Contract, page: string): Contract {
  const { servers = [], paths } = contract as { readonly servers?: readonly Node[]; readonly paths?: Node };
  const known = toServers(servers, page);
  const resolved = known.length > 0 ? known : toServers(servers, UNKNOWN);
  const whole = resolved.map(({ url }) => url);
  // A template that does not begin so could be an option of curl's.
  const address = (url: string) =>
    [toAddress(url, page), ...whole, toAddress(url, UNKNOWN)].find((found) => /^https?:/.test(found ?? "")) ??
    UNKNOWN;
  const fill = (source: string) => source.replaceAll(MARKED, (_, url: string) => withoutQuotes(address(url)));
  return {
    ...contract,
    ...(servers.length > 0 && { servers: resolved }),
    ...(isNode(paths) && {
      paths: mapNodes(paths, (item) => mapNodes(item, (one) => fillSamples(one, fill))),
    }),
  };
}

const MARKED = /\u{E000}([^\u{E000}]*)\u{E000}/gu;

function toServers(servers: readonly Node[], page: string): readonly (Node & { readonly url: string })[] {
  return servers.flatMap((server) => {
    const url = toAddress(String(server["url"]), page);
    return url === undefined ? [] : [{ ...server, url }];
  });
}

/**
 * Without a slash at its end, as paths begin with one. A template with open variables stays one.
 * @returns undefined for what is no address of HTTP.
 */
function toAddress(url: string, page: string): string | undefined {
  if (/[{}]/.test(url)) return url;
  try {
    const { href, protocol } = new URL(url, page);
    return /^https?:$/.test(protocol) ? href.replace(/\/$/, "") : undefined;
  } catch {
    return undefined;
  }
}

/** In a sample, an address is within quotes of a shell or a script, where these would mean something, or end the line. */
function withoutQuotes(url: string): string {
  return url.replaceAll(
    /[\n\r"'$`\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

function fillSamples(operation: Node, fill: (source: string) => string): Node {
  const samples = operation["x-codeSamples"];
  if (!Array.isArray(samples)) return operation;
  const filled = samples.map((sample: unknown) => {
    if (!isNode(sample) || typeof sample["source"] !== "string") return sample;
    return { ...sample, source: fill(sample["source"]) };
  });
  return { ...operation, "x-codeSamples": filled };
}

function mapNodes(node: Node, map: (member: Node) => Node): Node {
  return Object.fromEntries(
    Object.entries(node).map(([name, member]) => [name, isNode(member) ? map(member) : member]),
  );
}
