/**
 * Tests whether a host is this machine: `localhost` and the names below it, which browsers never look up (RFC 6761, section 6.3), and the
 * addresses of the loopback interface.
 * @param hostname As in `URL.hostname`: in lower case, without a port, IPv6 addresses in brackets.
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
