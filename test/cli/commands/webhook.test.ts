// @slow: loads the command line.
import { readFileSync } from "node:fs";
import type { RequestHandler } from "express";
import { describe, expect, test } from "@jest/globals";
import { createWebhooks, hmacSignature } from "../../../src/tenon/webhooks/index.js";
import { type Webhooks, webhooks } from "../../fixtures/webhooks/generated/server.js";
import { SECRET, serve } from "../../tenon/webhooks/exchange.js";
import { createProject } from "../load/project.js";
import { runIn } from "./run.js";

const contract = readFileSync(new URL("../../fixtures/webhooks/openapi.yaml", import.meta.url), "utf8");
const project = createProject({
  "api.yaml": contract,
  "body.json": '{"count":5}',
  "wrong.json": '{"count":-5}',
});
const github = hmacSignature({
  secrets: "secret",
  header: "X-Hub-Signature-256",
  value: "sha256={signature}",
});

const run = (name: string, url: string, ...flags: string[]) =>
  runIn(project, "webhook", name, "--api", "api.yaml", "--to", url, ...flags);

/** Serves a receiver that lists what its handlers get. */
async function receive(options: object = { secret: SECRET }) {
  const bodies: unknown[] = [];
  const keep = ({ body }: { readonly body: unknown }) => {
    bodies.push(body);
  };
  const receiver = createWebhooks<Webhooks, object>(webhooks, {
    handlers: {
      orderPaid: keep,
      orderCounted: ({ body }, reply) => {
        keep({ body });
        return reply[200]({ total: body.count });
      },
    },
    unknown: () => undefined,
    onFailure: () => undefined,
    ...options,
  });
  return { url: `http://127.0.0.1:${await serve(receiver)}/hooks`, bodies };
}

describe("tenon webhook", () => {
  test("sends a signed event that the contract allows", async () => {
    const { url, bodies } = await receive();
    const { exitCode, stdout, stderr } = await run("orderPaid", `${url}/orderPaid`, "--secret", SECRET);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const [body, line] = stdout.split("\n");
    expect(line).toMatch(/^204 {2}POST http:\/\/127.0.0.1:\d+\/hooks\/orderPaid {2}orderPaid$/);
    expect(bodies).toEqual([JSON.parse(body ?? "")]);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  test("sends a given body, with another signature", async () => {
    const { url, bodies } = await receive({ signature: github });
    const signature = ["--secret", "secret", "--signature", "X-Hub-Signature-256: sha256={signature}"];
    const flags = [...signature, "--body", "body.json", "--json"];
    const { exitCode, stdout } = await run("orderCounted", `${url}/orderCounted`, ...flags);
    expect([exitCode, JSON.parse(stdout), bodies]).toMatchObject([0, { result: 200 }, [{ count: 5 }]]);
    const wrong = await run("orderCounted", `${url}/orderCounted`, "--secret", SECRET, "--body", "body.json");
    expect([wrong.exitCode, wrong.stdout.includes("401  POST")]).toEqual([1, true]);
  });

  test.each([
    ["orderPaid", { secret: SECRET }, ["--secret", SECRET], 8],
    [
      "orderCounted",
      { signature: github },
      ["--secret", "secret", "--signature", "X-Hub-Signature-256:sha256={signature}"],
      6,
    ],
  ])(
    "--check passes for a receiver of %s that refuses forgeries and invalid bodies",
    async (name, options, flags, count) => {
      const { url } = await receive(options);
      const { exitCode, stdout } = await run(name, `${url}/${name}`, ...flags, "--check");
      expect([exitCode, stdout.match(/^ok {4}.*$/gm)?.length, stdout.includes("FAIL")]).toEqual([
        0,
        count,
        false,
      ]);
    },
  );

  test("--check fails for a receiver that accepts forgeries", async () => {
    const accept: RequestHandler = (_request, response) => void response.status(204).end();
    const port = await serve(accept);
    const flags = ["--secret", SECRET, "--check", "--json"];
    const { exitCode, stdout } = await run("orderPaid", `http://127.0.0.1:${port}/hooks`, ...flags);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; passed: boolean }[] };
    expect([exitCode, checks.filter(({ passed }) => !passed).map(({ name }) => name)]).toEqual([
      1,
      [
        "refuses an event without a signature",
        "refuses another signature",
        "refuses a changed body",
        "refuses a body that the contract does not allow",
        "refuses an event signed 10 minutes ago",
        "refuses an event signed 10 minutes ahead",
      ],
    ]);
  });

  test("reports that nothing listens", async () => {
    const { exitCode, stdout } = await run("orderPaid", "http://127.0.0.1:1/", "--secret", SECRET);
    expect([exitCode, stdout.includes("POST http://127.0.0.1:1/")]).toEqual([1, true]);
  });

  test.each([
    [
      "orderPayed",
      "http://127.0.0.1/",
      ["--secret", SECRET],
      'no webhook "orderPayed". Did you mean orderPaid?',
    ],
    ["orderPaid", "127.0.0.1", ["--secret", SECRET], "is not the URL of a receiver"],
    ["orderPaid", "http://127.0.0.1/", [], "The receiver's secret is missing"],
    ["orderPaid", "http://127.0.0.1/", ["--secret", "whsec_short"], "at least 24 bytes"],
    ["orderCounted", "http://127.0.0.1/", ["--secret", SECRET, "--body", "wrong.json"], "count"],
    [
      "orderCounted",
      "http://127.0.0.1/",
      ["--secret", SECRET, "--body", "none.json"],
      "Cannot read the body",
    ],
  ])("%s to %s with %j is bad usage", async (name, url, flags, message) => {
    const { exitCode, stdout, stderr } = await run(name, url, ...flags);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  test("sends a callback", async () => {
    const port = await serve((request, response) => {
      response.status(request.method === "POST" ? 200 : 405).end();
    });
    const { exitCode } = await run(
      "createOrder.orderShipped",
      `http://127.0.0.1:${port}/`,
      "--secret",
      SECRET,
    );
    // Served below /hooks only.
    expect(exitCode).toBe(1);
    const { exitCode: sent } = await run(
      "createOrder.orderShipped",
      `http://127.0.0.1:${port}/hooks`,
      "--secret",
      SECRET,
    );
    expect(sent).toBe(0);
  });
});
