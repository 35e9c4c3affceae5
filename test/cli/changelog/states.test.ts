import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { openHistory } from "../../../src/cli/changelog/history.js";
import { listStates, parseRange } from "../../../src/cli/changelog/states.js";
import { createHistory } from "../commands/pets-history.js";

describe("a range", () => {
  test.each([
    ["v1.0.0..v2.0.0", { from: "v1.0.0", to: "v2.0.0" }],
    ["v1.0.0..", { from: "v1.0.0" }],
    ["..v2.0.0", { to: "v2.0.0" }],
    ["..", {}],
    ["HEAD~2..feature/a.b", { from: "HEAD~2", to: "feature/a.b" }],
  ])("may be %s", (text, range) => {
    expect(parseRange(text)).toEqual(range);
  });

  test.each(["v1.0.0", "v1.0.0...v2.0.0", "a..b..c", ""])("cannot be %j", (text) => {
    expect(() => parseRange(text)).toThrow("is not a range");
  });
});

describe("the states of a range", () => {
  const { folder } = createHistory();
  const root = join(folder, "openapi.yaml");
  const now = Date.UTC(2026, 4, 1);

  const list = async (range?: string, pattern?: string) => {
    const history = await openHistory(root, folder);
    const parsed = range === undefined ? undefined : parseRange(range);
    return listStates(parsed, { history, api: { root }, cwd: folder, pattern, now });
  };
  const toNames = (states: Awaited<ReturnType<typeof list>>) =>
    states.map(({ name, isBase }) => `${name}${isBase ? " (base)" : ""}`);

  test.each([
    [undefined, ["v1.0.0", "v1.1.0", "v1.1.1", "v2.0.0", "Unreleased"]],
    ["v1.1.0..", ["v1.1.0 (base)", "v1.1.1", "v2.0.0", "Unreleased"]],
    ["..v1.1.0", ["v1.0.0", "v1.1.0"]],
    ["v1.0.0..v1.1.1", ["v1.0.0 (base)", "v1.1.0", "v1.1.1"]],
    ["v1.0.0..HEAD~1", ["v1.0.0 (base)", "v1.1.0", "v1.1.1"]],
    ["v2.0.0..main", ["v2.0.0 (base)", "main"]],
  ])("%s", async (range, names) => {
    expect(toNames(await list(range))).toEqual(names);
  });

  test("may come from tags of another form", async () => {
    expect(toNames(await list("..HEAD", "v3*"))).toEqual(["v3.0.0-rc.1"]);
    await expect(list(undefined, "api-*")).rejects.toThrow('no tag that matches "api-*"');
  });

  test("are required where the range names them", async () => {
    const states = await list("v1.0.0..");
    expect(states.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual([
      "v1.0.0",
      "Unreleased",
    ]);
  });

  test("have the time of their tag, and the working tree that of now", async () => {
    const states = await list();
    expect(states.map(({ date, instant }) => [date, new Date(instant).toISOString().slice(0, 10)])).toEqual([
      ["2026-01-01", "2026-01-01"],
      ["2026-02-01", "2026-02-01"],
      ["2026-02-02", "2026-02-02"],
      ["2026-04-01", "2026-04-01"],
      [undefined, "2026-05-01"],
    ]);
  });

  test("have the contract of their time", async () => {
    const [first, , , , unreleased] = await list();
    const source = await first?.open();
    expect(source?.show(source.file)).toBe("v1.0.0:openapi.yaml");
    expect(await source?.read?.(source.file)).toContain("version: 1.0.0");
    expect(await unreleased?.open()).toMatchObject({ file: root });
  });
});
