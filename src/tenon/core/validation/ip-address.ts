const GROUP = /^[\da-f]{1,4}$/i;

const IPV4 = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

/** Tests for an IPv4 address: four decimal numbers. */
export function isIPv4(text: string): boolean {
  return IPV4.test(text);
}

/**
 * Tests for an IPv6 address without a zone: eight groups, of which `::` replaces one or more that are zero; the last two can be an
 * IPv4 address.
 * @see https://www.rfc-editor.org/rfc/rfc4291#section-2.2
 */
export function isIPv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const all = groups.flat();
  const last = all.at(-1);
  // The last groups of `1.2.3.4::` are the zeros.
  const hasIPv4 = last?.includes(".") === true && groups.at(-1)?.length !== 0;
  if (hasIPv4 && !isIPv4(last)) return false;
  if (!(hasIPv4 ? all.slice(0, -1) : all).every((group) => GROUP.test(group))) return false;
  const count = all.length + (hasIPv4 ? 1 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}
