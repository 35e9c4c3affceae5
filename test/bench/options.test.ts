import { describe, expect, test } from "@jest/globals";
import { parseOptions, UsageError } from "../../scripts/bench/http/options.js";
import { SCENARIO_NAMES } from "../../scripts/bench/http/scenarios.js";
import { SERVER_NAMES } from "../../scripts/bench/http/servers.js";

describe("options of the benchmark", () => {
  test("without any, everything is measured on this Node.js", () => {
    expect(parseOptions([])).toEqual({
      mode: "measure",
      starts: 5,
      rounds: 4,
      seconds: 0.5,
      servers: SERVER_NAMES,
      scenarios: SCENARIO_NAMES,
      stores: ["memory", "sqlite"],
      logs: true,
      node: process.execPath,
    });
  });

  test("lists are in the order of the tables, each name once", () => {
    const { servers, stores } = parseOptions(["--servers", "node,fastify,node", "--store", "sqlite"]);
    expect(servers).toEqual(["fastify", "node"]);
    expect(stores).toEqual(["sqlite"]);
  });

  test("a check needs nobody to measure against", () => {
    expect(parseOptions(["--check", "--servers", "hono"])).toMatchObject({
      mode: "check",
      servers: ["hono"],
    });
  });

  test.each([
    [["--servers", "fastify,koa"], /koa/],
    [["--servers", "tenon,node"], /fastify/],
    [["--scenarios", ""], /scenarios/],
    [["--starts", "1.5"], /--starts must be a whole/],
    [["--rounds", "1.5"], /--rounds must be a whole/],
    [["--rounds", "0"], /above 0/],
    [["--seconds", "soon"], /above 0/],
    [["--logs", "maybe"], /maybe/],
    [["--store", "postgres"], /postgres/],
    [["--check", "--growth"], /not both/],
    [["--document", "x.json"], /--growth/],
    [["--slow"], /--slow/],
  ])("%j is refused with what is wrong", (argv, message) => {
    expect(() => parseOptions(argv)).toThrow(UsageError);
    expect(() => parseOptions(argv)).toThrow(message);
  });
});
