import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { toNetwork } from "../../../src/petstore/limits/network.js";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  [" 192.0.2.1 ", "192.0.2.1"],
  ["192.0.2.1:8443", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:DB8:0:0:ffff:ffff:ffff:ffff", "2001:db8:0:0::/64"],
  ["[2001:db8::1]:8443", "2001:db8:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1:2:3:4:5:6:192.0.2.1", "1:2:3:4::/64"],
])("%s counts for %s", (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

test.each([
  "",
  "unknown",
  "_hidden",
  "192.0.2",
  "192.0.2.256",
  "192.0.2.1, 192.0.2.2",
  "[",
  "]:1",
  "2001:db8",
  "a\nb",
])("%j is no address", (text) => {
  expect(toNetwork(text)).toBeUndefined();
});

test("addresses of one /64 are one network", () => {
  const network = fc.ipV6().map((address) => ({ address, network: toNetwork(address) }));
  fc.assert(
    fc.property(network, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), ({ network: of }, host) => {
      fc.pre(of?.endsWith("::/64") === true);
      const groups = [48n, 32n, 16n, 0n].map((shift) => ((host >> shift) & 0xffffn).toString(16));
      const prefix = of.replace("::/64", "");
      expect(toNetwork(`${prefix}:${groups.join(":")}`)).toBe(of);
    }),
  );
});
