import { describe, expect, test } from "@jest/globals";
import { loadRedoc, loadRedocLicenses, withoutRemoteLogo } from "../../../src/cli/docs/assets/assets.js";

/**
 * Hosts that the bundle names without ever asking them for anything: names of schemas and of XML namespaces, and links
 * in messages, comments and the menu's footer.
 */
const NAMED_HOSTS = [
  "api.",
  "example.com",
  "fb.me",
  "git.io",
  "github.com",
  "json-schema.org",
  "marked.js.org",
  "raw.githubusercontent.com",
  "reactjs.org",
  "redocly.com",
  "stackoverflow.com",
  "www.w3.org",
];

describe("Redoc's bundle", () => {
  // When this fails, Redoc has changed: look at what each new address is for before it goes into the list.
  test("names no other host than those known to be harmless", () => {
    const hosts = [...loadRedoc().matchAll(/(?:https?|wss?):\/\/([a-z0-9.-]+)/gi)].map(([, host]) => host);
    expect([...new Set(hosts)].sort()).toEqual(NAMED_HOSTS);
  });

  test("is refused when its remote logo is not where it was", () => {
    expect(() => withoutRemoteLogo('n.src="https://cdn.example/other.svg"')).toThrow(
      /Redoc's bundle has changed/,
    );
  });

  test("comes with the licence notices that its first line refers to", () => {
    expect(loadRedoc().split("\n", 1)[0]).toContain("redoc.standalone.js.LICENSE.txt");
    expect(loadRedocLicenses()).toMatch(/ReDoc - OpenAPI\/Swagger-generated API Reference Documentation/);
  });
});
