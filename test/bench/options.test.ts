import { resolve } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { estimate, parseOptions, UsageError } from "../../scripts/bench/http/options.js";
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

  test("a quick run is of two servers in memory, with as many starts as fit into two minutes", () => {
    const quick = parseOptions(["--quick"]);
    const pair = { servers: ["tenon", "fastify"], scenarios: SCENARIO_NAMES, stores: ["memory"] };
    expect(quick).toMatchObject({ ...pair, mode: "quick", rounds: 2, seconds: 0.15 });
    const against = parseOptions(["--quick", "--against", "old"]);
    expect(against).toMatchObject({ ...pair, against: resolve("old") });
    expect(against.starts).toBeLessThan(quick.starts);
    const one = parseOptions(["--quick", "--scenarios", "create"]);
    expect(one.starts).toBeGreaterThan(quick.starts);
    for (const options of [quick, against, one]) expect(Math.round(estimate(options) / 60)).toBe(2);
  });

  test("a quick run of many servers has no fewer than three starts", () => {
    expect(parseOptions(["--quick", "--servers", SERVER_NAMES.join(), "--seconds", "1"]).starts).toBe(3);
  });

  test.each([
    [["--quick"], {}],
    [["--against", "old"], { starts: 10, servers: ["tenon", "fastify"], stores: ["memory"] }],
    [["--startup"], { starts: 20, servers: ["tenon", "fastify"], stores: ["memory"] }],
  ])("%j can be given more", (argv, defaults) => {
    expect(parseOptions(argv)).toMatchObject(defaults);
    const more = ["--starts", "7", "--rounds", "2", "--seconds", "0.3", "--store", "sqlite,memory"];
    expect(parseOptions([...argv, ...more, "--servers", "tenon,fastify,hono"])).toMatchObject({
      starts: 7,
      rounds: 2,
      seconds: 0.3,
      stores: ["memory", "sqlite"],
      servers: ["tenon", "fastify", "hono"],
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
    [["--quick", "--startup"], /not both/],
    [["--check", "--against", "old"], /--against does not go with --check/],
    [["--against", "old", "--servers", "fastify,hono"], /tenon/],
    [["--slow"], /--slow/],
  ])("%j is refused with what is wrong", (argv, message) => {
    expect(() => parseOptions(argv)).toThrow(UsageError);
    expect(() => parseOptions(argv)).toThrow(message);
  });
});
