import { isIP, isIPv4 } from "node:net";

/** Number of groups of an IPv6 address that identify the network: a customer gets at least a /64 (RFC 6177). */
const NETWORK_GROUPS = 4;

/**
 * Returns the network of an address: an IPv4 address itself, or the /64 of an IPv6 address, because one customer has all of it.
 * `2001:db8::1%eth0` becomes `2001:db8:0:0::/64`, `::ffff:192.0.2.1` becomes `192.0.2.1`.
 * @param text Address of a socket or of `X-Forwarded-For`; some proxies add a port.
 * @returns undefined when the text is not an address.
 */
export function toNetwork(text: string): string | undefined {
  const address = withoutPort(text.trim()).replace(/%.*$/s, "");
  switch (isIP(address)) {
    case 4:
      return address;
    case 6:
      return toNetwork6(address);
    default:
      return undefined;
  }
}

/** Removes a port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  if (text.startsWith("[")) return text.slice(1, text.includes("]") ? text.indexOf("]") : undefined);
  const [address = "", ...rest] = text.split(":");
  return rest.length === 1 && isIPv4(address) ? address : text;
}

function toNetwork6(address: string): string {
  // The URL parser normalizes an address: compressed, in lower case, without dots.
  const [head = "", tail = ""] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const [before, after] = [toGroups(head), toGroups(tail)];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
  const mapped = /^0,0,0,0,0,ffff,(\w+),(\w+)$/.exec(groups.join(","));
  if (mapped !== null) return toIPv4(mapped.slice(1));
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

function toGroups(text: string): string[] {
  return text === "" ? [] : text.split(":");
}

function toIPv4(groups: readonly string[]): string {
  return groups
    .map((group) => parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 0xff])
    .join(".");
}
