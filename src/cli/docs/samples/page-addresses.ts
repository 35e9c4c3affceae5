import { isNode, type Node } from "tenon/core/document";

/**
 * Marks an address in a sample: it may depend on the address of the page, which is unknown when samples are written. Unicode keeps the
 * character for private use.
 */
const MARK = "\u{E000}";

/** Marks the address of a server, which may be relative to the page, between two characters. */
export function markAddress(url: string): string {
  return `${MARK}${url.replaceAll(MARK, "")}${MARK}`;
}

/** The address of a service at an unknown place (RFC 2606, section 3). */
const UNKNOWN = "https://service.example";

/**
 * Completes the addresses of a contract's servers and samples for a page. In a folder on disk, nothing is relative to the page:
 * relative servers are left out, and samples call the next one.
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
 * Completes an address, without a slash at its end, as paths begin with one. A template with open variables stays one.
 * @returns undefined for an address of another scheme than HTTP.
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
