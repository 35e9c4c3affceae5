// @thorough: asks the compiler after each change.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { createProject } from "../load/project.js";

const FOLLOWER = new URL("../../../src/cli/dev/impact.ts", import.meta.url).href;
const SIDES = new URL("../impact/sides.ts", import.meta.url).href;
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

const GET = "get: { responses: { '204': { description: Done. } } }";

/** Calls of a follower by name, with `good`, `required` and `gone` as what is generated from three contracts. */
const SAVES = {
  last: "follow(good, true); follow(required, false); cancel(); follow(gone, false);",
  again: "follow(good, true); follow(required, true); cancel(); follow(required, true);",
  same: "follow(good, true); follow(good, true); cancel(); follow(good, false);",
};

/** Runs the calls, each with a follower of its own, in one process; returns what each has printed. */
function followSaves(): Readonly<Record<keyof typeof SAVES, string>> {
  const folder = createProject({});
  const runs = Object.entries(SAVES).map(
    ([name, saves]) => `{
      const follower = new ImpactFollower({
        configFile: ${JSON.stringify(`${folder}/tsconfig.json`)},
        cwd: ${JSON.stringify(folder)},
        print: (lines) => (printed.${name} += lines.join("\\n") + "\\n"),
      });
      const follow = (plans, isServed) => follower.follow(plans, isServed);
      const cancel = () => follower.cancel();
      ${saves}
    }`,
  );
  const script = `
    import { ImpactFollower } from ${JSON.stringify(FOLLOWER)};
    import { toSides } from ${JSON.stringify(SIDES)};
    const toPlans = (paths) => {
      const { files } = toSides(paths, paths).base;
      return [{ api: { name: "v1", output: ${JSON.stringify(`${folder}/generated`)} }, files }];
    };
    const good = toPlans("paths: { /a: { ${GET} }, /b: { ${GET} } }");
    const required = toPlans("paths: { /a: { parameters: [{ name: x, in: query, required: true, schema: {} }], ${GET} }, /b: { ${GET} } }");
    const gone = toPlans("paths: { /b: { ${GET} } }");
    const printed = { last: "", again: "", same: "" };
    ${runs.join("\n")}
    process.on("exit", () => console.log(JSON.stringify(printed)));`;
  const file = join(folder, "saves.mts");
  writeFileSync(file, script);
  const output = execFileSync(process.execPath, ["--conditions=tenon-source", "--import", TSX, file], {
    env: { ...process.env, NODE_OPTIONS: "" },
    encoding: "utf8",
  });
  return JSON.parse(output) as ReturnType<typeof followSaves>;
}

const REQUIRED = `since the last good contract: 1 breaking change
  breaking  GET /a  The required query parameter "x" is new
    Clients may not compile: params.query is required now.
`;
const END = "Clients of 1 operation may not compile. The code here was not checked: ";

describe("what saves of a contract mean to code", () => {
  const printed = followSaves();

  test("is told of the last save, compared with what the service ran with", () => {
    expect(printed.last).toContain(
      '  breaking  GET /a  GET /a was removed\n    Clients may not compile: "/a" was removed',
    );
    expect(printed.last).toContain(END);
    expect(printed.last).not.toContain("required");
  });

  test("is asked again when another save came before the answer", () => {
    expect(printed.again).toContain(REQUIRED);
    expect(printed.again.match(/since the last/g)).toHaveLength(1);
  });

  test("is not told of the same contract", () => {
    expect(printed.same).toBe("");
  });
});
