import { describe, expect, test } from "@jest/globals";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { listChanges, toContract } from "./pair.js";

type Requirements = readonly Readonly<Record<string, readonly string[]>>[];
type Level = "breaking" | "safe" | "none";
type Row = readonly [name: string, base: unknown, revision: unknown, forth: Level, back: Level];

const flow = { tokenUrl: "https://a.example/t", scopes: { read: "Read.", write: "Write." } };
const schemes = {
  bearer: { type: "http", scheme: "bearer" },
  key: { type: "apiKey", in: "header", name: "X-Key" },
  oauth: { type: "oauth2", flows: { clientCredentials: flow } },
  oidc: { type: "openIdConnect", openIdConnectUrl: "https://a.example" },
  unused: { type: "http", scheme: "basic" },
};

function toService(security: unknown, securitySchemes: object = schemes): Node {
  const operation = { ...(security !== undefined && { security }), responses: {} };
  return { ...toContract({}), paths: { "/a": { get: operation } }, components: { securitySchemes } };
}

/** The worst level of the changes. */
async function compare(base: Node, revision: Node): Promise<string> {
  const levels = (await listChanges(base, revision)).map((change) => change.split(" ")[0] ?? "");
  return ["breaking", "risky", "safe"].find((level) => levels.includes(level)) ?? "none";
}

const none: Requirements = [];
const bearer = { bearer: [] };
const key = { key: [] };
const read = { oauth: ["read"] };
const both = { oauth: ["read", "write"] };

/** A change is breaking if a client that was let in is not any more. */
const requirements: readonly Row[] = [
  ["one alternative more", [bearer], [bearer, key], "safe", "breaking"],
  ["another alternative", [bearer], [key], "breaking", "breaking"],
  ["alternatives in another order", [bearer, key], [key, bearer], "none", "none"],
  ["an alternative twice", [bearer], [bearer, bearer], "none", "none"],
  ["one of three alternatives goes", [bearer, key, read], [bearer, read], "breaking", "safe"],
  ["two schemes together", [bearer], [{ ...bearer, ...key }], "breaking", "safe"],
  [
    "two schemes together, of three",
    [{ ...bearer, ...key, ...read }],
    [{ ...bearer, ...key }],
    "safe",
    "breaking",
  ],
  ["both or each", [{ ...bearer, ...key }], [bearer, key], "safe", "breaking"],
  ["both beside one of them", [bearer], [bearer, { ...bearer, ...key }], "none", "none"],
  ["no security", [bearer], none, "safe", "breaking"],
  ["no security, said by an empty requirement", none, [{}], "none", "none"],
  ["no security, said by nothing", undefined, none, "none", "none"],
  ["an optional credential", [bearer], [bearer, {}], "safe", "breaking"],
  ["an optional credential instead of none", none, [{}, bearer], "none", "none"],
  ["another optional credential", [{}, bearer], [{}, key], "none", "none"],
  ["an optional credential that is required", [{}, bearer, key], [bearer, key], "breaking", "safe"],
  ["a scope more", [read], [both], "breaking", "safe"],
  ["another scope", [read], [{ oauth: ["write"] }], "breaking", "breaking"],
  ["no scope", [read], [{ oauth: [] }], "safe", "breaking"],
  ["scopes in another order", [both], [{ oauth: ["write", "read"] }], "none", "none"],
  ["a scope or another", [read], [read, { oauth: ["write"] }], "safe", "breaking"],
  ["two scopes, or one of them", [both], [read, both], "safe", "breaking"],
  ["more scopes beside fewer", [read], [read, both], "none", "none"],
  ["a scope more beside another scheme", [read, bearer], [both, bearer], "breaking", "safe"],
  ["a scope more with another scheme", [{ ...read, ...key }], [{ ...both, ...key }], "breaking", "safe"],
  ["a scope more, but one scheme fewer", [{ ...read, ...key }], [both], "breaking", "breaking"],
  ["a scope of OpenID Connect", [{ oidc: [] }], [{ oidc: ["a"] }], "breaking", "safe"],
  ["a role of a bearer token", [bearer], [{ bearer: ["admin"] }], "breaking", "safe"],
  ["a scope more where no credential is required", [{}, read], [{}, both], "none", "none"],
];

const edits: readonly Row[] = [
  ["the name of a header", key, { ...schemes.key, name: "X-Other" }, "breaking", "breaking"],
  ["the case of a header", key, { ...schemes.key, name: "x-key" }, "none", "none"],
  ["the place of a key", key, { ...schemes.key, in: "query" }, "breaking", "breaking"],
  ["another HTTP scheme", bearer, { type: "http", scheme: "basic" }, "breaking", "breaking"],
  ["the format of a token", bearer, { ...schemes.bearer, bearerFormat: "JWT" }, "none", "none"],
  ["another kind", bearer, schemes.key, "breaking", "breaking"],
  [
    "another address of OpenID Connect",
    { oidc: [] },
    { ...schemes.oidc, openIdConnectUrl: "https://b.example" },
    "breaking",
    "breaking",
  ],
  ["a flow more", read, toFlows({ clientCredentials: flow, password: flow }), "safe", "breaking"],
  ["another flow", read, toFlows({ password: flow }), "breaking", "breaking"],
  [
    "another URL of a flow",
    read,
    toFlows({ clientCredentials: { ...flow, tokenUrl: "https://b.example" } }),
    "breaking",
    "breaking",
  ],
  [
    "a URL to refresh tokens",
    read,
    toFlows({ clientCredentials: { ...flow, refreshUrl: "https://a.example/r" } }),
    "breaking",
    "breaking",
  ],
  [
    "a scope that an operation requires",
    read,
    toFlows({ clientCredentials: { ...flow, scopes: { write: "" } } }),
    "breaking",
    "safe",
  ],
  [
    "a scope that no operation requires",
    read,
    toFlows({ clientCredentials: { ...flow, scopes: { read: "" } } }),
    "safe",
    "safe",
  ],
];

function toFlows(flows: object): object {
  return { type: "oauth2", flows };
}

describe("security requirements", () => {
  test.each(requirements)("%s", async (_, base, revision, forth, back) => {
    expect(await compare(toService(base), toService(revision))).toBe(forth);
    expect(await compare(toService(revision), toService(base))).toBe(back);
  });
});

describe("security schemes", () => {
  test.each(edits)("%s", async (_, requirement, scheme, forth, back) => {
    const [name = ""] = Object.keys(requirement as object);
    const base = toService([requirement]);
    const revision = toService([requirement], { ...schemes, [name]: scheme });
    expect(await compare(base, revision)).toBe(forth);
    expect(await compare(revision, base)).toBe(back);
  });

  test("changes of a scheme that no operation requires are safe", async () => {
    const revision = toService([bearer], {
      ...schemes,
      key: schemes.bearer,
      oauth: toFlows({ password: flow }),
    });
    expect(await compare(toService([bearer]), revision)).toBe("safe");
    expect(await compare(revision, toService([bearer]))).toBe("safe");
  });
});
