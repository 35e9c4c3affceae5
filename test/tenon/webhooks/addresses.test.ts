import { describe, expect, test } from "@jest/globals";
import {
  createCheckedLookup,
  isPublicAddress,
  parseReceiverUrl,
} from "../../../src/tenon/webhooks/send/receiver-address.js";

describe("private addresses", () => {
  test.each([
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254"],
    ...[
      "172.16.0.1",
      "172.31.255.255",
      "192.0.0.8",
      "192.168.1.1",
      "198.18.0.1",
      "224.0.0.1",
      "255.255.255.255",
    ],
    ...["::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "2001:0:102:304::1"],
    // IPv4 addresses in IPv6 addresses.
    ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1"],
    ...["", "localhost", "1.2.3", "fe80::1%eth0"],
  ])("%s is refused", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(["1.1.1.1", "172.15.255.255", "172.32.0.1", "192.167.0.1", "223.255.255.255", "2606:4700::1111"])(
    "%s is an ordinary address",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("the URL of a receiver", () => {
  test.each([
    ["https://127.0.0.1/", "private"],
    ["https://[::1]/", "private"],
    ["https://[::ffff:10.0.0.1]/", "private"],
    // Other spellings of 127.0.0.1.
    ...["https://2130706433/", "https://0x7f.1/", "https://127.1/", "https://0177.0.0.1/"].map(
      (url) => [url, "private"] as const,
    ),
    ["http://example.com/", "must be https:"],
    ["file:///etc/passwd", "must be https:"],
    ["https://key@example.com/", "without credentials"],
    ["/hooks", "invalid"],
  ])("%s is refused", (url, message) => {
    expect(() => parseReceiverUrl(url, new Set())).toThrow(message);
  });

  test("may have an allowed host", () => {
    const allowed = new Set(["127.0.0.1", "receiver:8080", "[::1]"]);
    for (const url of ["http://127.0.0.1:81/", "http://receiver:8080/", "https://[::1]/"])
      expect(parseReceiverUrl(url, allowed).href).toBe(url);
    expect(() => parseReceiverUrl("http://receiver:8081/", allowed)).toThrow("must be https:");
  });
});

test("a socket connects to the addresses that were checked", async () => {
  const addresses = [
    { address: "1.1.1.1", family: 4 },
    { address: "2606:4700::1111", family: 6 },
  ];
  const lookup = createCheckedLookup(() => Promise.resolve(addresses));
  const look = (all: boolean) =>
    new Promise((resolve) => {
      lookup("receiver.example", { all }, (error, address, family) => {
        resolve([error, address, family]);
      });
    });
  expect(await look(true)).toEqual([null, addresses, undefined]);
  expect(await look(false)).toEqual([null, "1.1.1.1", 4]);
  const none = createCheckedLookup(() => Promise.resolve([]));
  const error = await new Promise((resolve) => {
    none("receiver.example", {}, resolve);
  });
  expect(error).toBeInstanceOf(Error);
});
