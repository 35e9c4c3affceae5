import { describe, expect, test } from "@jest/globals";
import { createConfig } from "@redocly/openapi-core";
import { buildChangelog, type State } from "../../../src/cli/changelog/build.js";
import type { Changelog } from "../../../src/cli/changelog/changelog.js";
import type { DiffSettings } from "../../../src/cli/diff/index.js";
import { CREATE, LIST, toPets } from "../commands/pets-history.js";

const BROKEN = "openapi: 3.1.0\ninfo: {{\n";

/** A state whose contract is a text; without one it has no contract. */
function toState(name: string, text: string | undefined, more: Partial<State> = {}): State {
  const read = () => Promise.resolve(text ?? "");
  const source = { file: "/openapi.yaml", read, show: () => name, isOnDisk: false };
  return {
    name,
    revision: name,
    date: "2026-01-01",
    instant: Date.UTC(2026, 0, 1),
    open: () => Promise.resolve(text === undefined ? undefined : source),
    isRequired: false,
    isBase: false,
    ...more,
  };
}

async function build(states: readonly State[], diff?: DiffSettings): Promise<Changelog | undefined> {
  const api = { root: "/openapi.yaml", config: await createConfig({}), ...(diff && { diff }) };
  return buildChangelog(states, { api, cwd: "/", onStep: () => undefined });
}

const V1 = toState("v1.0.0", toPets("1.0.0", LIST));
const V2 = toState("v2.0.0", toPets("2.0.0", LIST + CREATE));

describe("a changelog", () => {
  test("compares each version with the one before, newest first", async () => {
    expect(await build([V1, V2])).toEqual({
      title: "Pets",
      versions: [
        {
          version: "2.0.0",
          revision: "v2.0.0",
          date: "2026-01-01",
          since: "v1.0.0",
          counts: { breaking: 0, risky: 0, safe: 1 },
          changes: [
            {
              section: "added",
              code: "operation-added",
              level: "safe",
              operations: ["POST /pets"],
              message: "POST /pets is new",
              why: "Everything that existed before is unchanged.",
            },
          ],
        },
        {
          version: "1.0.0",
          revision: "v1.0.0",
          date: "2026-01-01",
          counts: { breaking: 0, risky: 0, safe: 0 },
          changes: [],
        },
      ],
      unreadable: [],
    });
  });

  test("reports each step", async () => {
    const steps: string[] = [];
    const api = { root: "/openapi.yaml", config: await createConfig({}) };
    await buildChangelog([V1, V2], { api, cwd: "/", onStep: (step) => steps.push(step) });
    expect(steps).toEqual(["Reading v1.0.0", "Reading v2.0.0"]);
  });

  test("does not list the base of a range, or states without changes", async () => {
    const same = toState("v1.0.1", toPets("1.0.0", LIST));
    const changelog = await build([{ ...V1, isBase: true }, same, V2]);
    expect(changelog?.versions.map(({ version, since }) => [version, since])).toEqual([["2.0.0", "v1.0.1"]]);
  });

  test("names a state whose info.version did not rise by itself", async () => {
    const next = toState("Unreleased", toPets("1.0.0", LIST + CREATE));
    expect((await build([V1, next]))?.versions[0]).toMatchObject({ version: "Unreleased", since: "v1.0.0" });
  });

  test("skips unreadable states, and counts their changes to the next", async () => {
    const changelog = await build([V1, toState("v1.1.0", BROKEN), V2]);
    expect(changelog).toMatchObject({
      versions: [{ version: "2.0.0", since: "v1.0.0" }, { version: "1.0.0" }],
      unreadable: [{ revision: "v1.1.0", reason: expect.stringContaining("document-syntax") }],
    });
  });

  test("needs a readable contract where one is required", async () => {
    const broken = toState("v1.1.0", BROKEN, { isRequired: true });
    await expect(build([V1, broken])).rejects.toThrow("document-syntax");
  });

  test("needs at least one contract", async () => {
    expect(await build([toState("v0.1.0", undefined)])).toBeUndefined();
  });

  test("compares removals with the sunsets at the time of their version", async () => {
    const ending = CREATE.replace("{ ", '{ deprecated: true, x-sunset: "2026-03-01", ');
    const before = toState("v1.0.0", toPets("1.0.0", LIST + ending));
    const codes = async (instant: number) =>
      (
        await build([before, toState("v2.0.0", toPets("2.0.0", LIST), { instant })])
      )?.versions[0]?.changes.map(({ code, section }) => `${section} ${code}`);
    expect(await codes(Date.UTC(2026, 1, 1))).toEqual(["removed operation-removed"]);
    expect(await codes(Date.UTC(2026, 3, 1))).toEqual(["removed operation-removed-after-sunset"]);
  });

  test("does not count ignored changes", async () => {
    const ignore = [{ code: "operation-added", reason: "Internal." }];
    const [version] = (await build([V1, V2], { levels: {}, ignore }))?.versions ?? [];
    expect(version).toMatchObject({
      counts: { safe: 0 },
      changes: [{ code: "operation-added", ignored: "Internal." }],
    });
  });
});
