import { lookup as lookUpAll } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Addresses of this machine, of private networks and of other special purposes (RFC 6890). */
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Parts of 2000::/3 that are not ordinary addresses; 2001::/23 and 2002::/16 contain IPv4 addresses. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const special = new BlockList();
const global = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, "ipv6");
global.addSubnet("2000::", 3, "ipv6");

/** Tests whether an IP address is an ordinary one of the internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, "ipv4");
  return version === 6 && global.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** A URL or an address that is not called. */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
}

/** Resolves a host name to all its addresses, like `dns.promises.lookup` with `all`. */
export type Resolve = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export const resolveHost: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookUpAll(host, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/**
 * Parses the URL of a receiver.
 * @param allowed Hosts that may have private addresses and `http:`, as `host` or `host:port`.
 * @throws {RefusedAddressError} without the URL, whose path and query may be secret.
 */
export function parseReceiverUrl(text: string, allowed: ReadonlySet<string>): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new RefusedAddressError("The URL of the receiver is invalid");
  const { protocol, username, password } = url;
  if (!["http:", "https:"].includes(protocol) || username !== "" || password !== "")
    throw new RefusedAddressError("The URL of the receiver must be https: and without credentials");
  if (isAllowed(url, allowed)) return url;
  if (protocol !== "https:") throw new RefusedAddressError("The URL of the receiver must be https:");
  const host = toHost(url);
  if (isIP(host) !== 0 && !isPublicAddress(host))
    throw new RefusedAddressError("The URL of the receiver has a private address");
  return url;
}

/** The host name or address that a connection is made to. */
export function toHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

export function isAllowed({ hostname, host }: URL, allowed: ReadonlySet<string>): boolean {
  return allowed.has(hostname) || allowed.has(host);
}

/**
 * Creates the function that a socket resolves its host with. The socket connects to the addresses that were checked: a host that
 * resolves to another address a moment later (DNS rebinding) gains nothing.
 */
export function createCheckedLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    const fail = (error: unknown): void => {
      callback(error as NodeJS.ErrnoException, "", 0);
    };
    resolve(host).then((addresses) => {
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        fail(new RefusedAddressError("The host of the receiver has a private address"));
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    }, fail);
  };
}
