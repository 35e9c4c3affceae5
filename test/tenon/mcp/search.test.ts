import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Agent, connectAgent } from "./agent.js";
import { json, startSmall, type Small } from "./small.js";

const operation = (id: string, summary: string, extra: object = {}) => ({
  operationId: id,
  summary,
  "x-mcp": true,
  responses: { "200": json({ type: "object" }) },
  ...extra,
});
const PATHS = {
  "/issues": {
    get: operation("issues/list", "List issues"),
    post: operation("issues/create", "Create an issue"),
  },
  "/issues/{n}": {
    parameters: [{ name: "n", in: "path", required: true, schema: { type: "integer" } }],
    patch: operation("issues/update", "Update an issue"),
    delete: operation("issues/remove", "Delete an issue"),
  },
  "/issues/{n}/comments": {
    parameters: [{ name: "n", in: "path", required: true, schema: { type: "integer" } }],
    post: operation("issues/create-comment", "Create an issue comment"),
  },
  "/user/orgs": { get: operation("orgs/list-for-user", "List organizations for the authenticated user") },
};

let small: Small;
let agent: Agent;
beforeAll(async () => {
  const ids = ["issues/list", "issues/create", "issues/update", "issues/remove", "issues/create-comment"];
  small = await startSmall({
    paths: PATHS,
    handlers: Object.fromEntries(
      [...ids, "orgs/list-for-user"].map((id) => [id, (_: unknown, reply) => reply[200]?.({ id })]),
    ),
    mcp: { maxTools: 3 },
  });
  agent = await connectAgent(small.url);
});
afterAll(async () => {
  await agent.close();
  await small.stop();
});

test("more tools than the limit are two: one finds, the other calls", async () => {
  const { tools } = await agent.list();
  expect(tools.map(({ name }) => name)).toEqual(["find_operations", "call_operation"]);
});

test.each([
  ["open an issue", "issues_create"],
  ["close an issue", "issues_update"],
  ["comment on an issue", "issues_create-comment"],
  ["removing issues", "issues_remove"],
  ["my orgs", "orgs_list-for-user"],
])("%s: %s comes first", async (query, name) => {
  const { structuredContent } = await agent.call("find_operations", { query });
  const [first] = structuredContent?.["operations"] as readonly { readonly name: string }[];
  expect(first).toMatchObject({ name, inputSchema: { type: "object" } });
});

test("a query without words, or with those of no operation, finds none", async () => {
  for (const query of ["", "the of", "zebra"])
    expect((await agent.call("find_operations", { query })).text).toContain("No operation was found");
  expect((await agent.call("find_operations", { query: 5 })).isError).toBe(true);
});

test("what was found is called, and validated as always", async () => {
  const name = "issues_update";
  const { structuredContent } = await agent.call("call_operation", { name, arguments: { n: 5 } });
  expect(structuredContent).toEqual({ status: 200, body: { id: "issues/update" } });
  const wrong = await agent.call("call_operation", { name, arguments: { n: "x" } });
  expect(wrong.text).toContain('Change the argument "n"');
  expect((await agent.call("call_operation", { name: "nope" })).text).toContain("find_operations");
  expect((await agent.call("call_operation", { name, arguments: 5 })).isError).toBe(true);
});
