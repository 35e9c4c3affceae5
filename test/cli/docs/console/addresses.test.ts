import { describe, expect, test } from "@jest/globals";
import {
  fillServer,
  listOrigins,
  listVariables,
  toBase,
} from "../../../../src/cli/docs/console/addresses.js";
import { buildContract } from "../../../../src/tenon/core/model/index.js";
import { createDocsSite } from "../../../../src/cli/docs/index.js";
import { createReferencePolicy } from "../../../../src/cli/docs/assets/page-policy.js";
import { listCallable } from "../../../../src/cli/docs/console/console-files.js";

const CONTRACT = {
  openapi: "3.1.0",
  info: { title: "A", version: "1" },
  servers: [{ url: "https://a.example/v1" }],
  paths: {},
};

const region = { default: "eu", enum: ["eu", "us"] };

describe("addresses of a console", () => {
  test("a server's variables are filled in, and those that are missing have their default", () => {
    const { servers } = buildContract({
      servers: [{ url: "https://{region}.example.com/{base}", variables: { region } }],
    });
    const [server] = servers;
    if (server === undefined) throw new Error("no server");
    expect(listVariables(server).map(({ name }) => name)).toEqual(["region", "base"]);
    expect(fillServer(server)).toBe("https://eu.example.com/");
    expect(fillServer(server, { region: "us", base: "$&" })).toBe("https://us.example.com/$&");
  });

  test.each([
    ["/v1/", "https://a.example/docs/", "https://a.example/v1"],
    ["https://b.example", "https://a.example/", "https://b.example"],
    ["/v1", "file:///docs/", undefined],
    ["javascript:alert(1)", "https://a.example/", undefined],
    ["https://a.example@b.example/", "https://a.example/", undefined],
    [" ", "https://a.example/", undefined],
  ])("%j on %s is %s", (address, page, base) => {
    expect(toBase(address, page)).toBe(base);
  });

  test("the page may call the contract's servers, for each value that a variable may have, and no others", () => {
    const contract = buildContract({
      servers: [{ url: "https://{region}.example.com/v1", variables: { region } }, { url: "/v1" }],
      paths: {
        "/": {
          servers: [{ url: "http://a.example" }],
          get: { servers: [{ url: "https://b.example:8443/" }] },
        },
      },
    });
    expect(listOrigins(contract)).toEqual([
      "https://eu.example.com",
      "https://us.example.com",
      "http://a.example",
      "https://b.example:8443",
    ]);
    const origins = listCallable(contract, {
      service: "https://eu.example.com/v1",
      callable: ["http://localhost:*"],
    });
    expect(createReferencePolicy(origins)).toContain(
      "; connect-src 'self' https://eu.example.com https://us.example.com http://a.example https://b.example:8443 http://localhost:*; ",
    );
  });

  test("the page that loads itself anew may listen for that, and says once what it may call", () => {
    const page = createDocsSite(CONTRACT, { reload: true }).find(({ name }) => name === "index.html");
    expect(page?.text).toContain('<script src="reload.js"></script>');
    expect(page?.policy?.match(/connect-src[^;]*/g)).toEqual(["connect-src 'self' https://a.example"]);
  });

  test("no server gets anything else into the policy", () => {
    const urls = [
      "javascript:a",
      "https://a.example; script-src *",
      "https://*",
      "{x}",
      "data:,a",
      "https://u:p@c.example",
    ];
    const contract = buildContract({ servers: urls.map((url) => ({ url })) });
    expect(listCallable(contract, { service: "/v1" })).toEqual([]);
  });

  test.each([
    "https://a.example/path",
    "*",
    "https:",
    "https://*.example",
    "https://a.example; script-src *",
  ])("%s is no origin to allow", (origin) => {
    expect(() => listCallable(buildContract({}), { callable: [origin] })).toThrow(TypeError);
  });
});
