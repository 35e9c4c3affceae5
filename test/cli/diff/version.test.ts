import { describe, expect, test } from "@jest/globals";
import type { Change, Level } from "../../../src/cli/diff/change.js";
import { checkVersion } from "../../../src/cli/diff/version.js";

function toChange(level: Level, code = "operation-added"): Change {
  return { code, level, pointer: "#", file: "a.yaml", line: 1, message: "", why: "" };
}

describe("the version that changes require", () => {
  test.each([
    ["breaking", [toChange("safe"), toChange("breaking")], "1.2.3", "2.0.0"],
    ["risky", [toChange("risky")], "1.2.3", "1.3.0"],
    ["an addition", [toChange("safe")], "1.2.3", "1.3.0"],
    ["texts", [toChange("safe", "texts-changed")], "1.2.3", "1.2.4"],
    ["the version itself", [toChange("safe", "version-changed")], "1.2.3", "1.2.3"],
    ["nothing", [], "1.2.3", "1.2.3"],
    ["an ignored change", [{ ...toChange("breaking"), ignored: "Known." }], "1.2.3", "1.2.3"],
    ["breaking before 1.0.0", [toChange("breaking")], "0.2.3", "0.3.0"],
    ["an addition before 1.0.0", [toChange("safe")], "0.2.3", "0.2.4"],
  ] as const)("%s", (_, changes, before, proposed) => {
    expect(checkVersion(changes, before, proposed)).toMatchObject({ proposed, enough: true });
    expect(checkVersion(changes, before, before).enough).toBe(proposed === before);
  });

  test("a higher version is accepted, and a lower one is not", () => {
    expect(checkVersion([toChange("safe")], "1.2.3", "2.0.0").enough).toBe(true);
    expect(checkVersion([toChange("breaking")], "1.2.3", "1.9.9").enough).toBe(false);
  });

  test("a version of another form only needs to differ", () => {
    expect(checkVersion([toChange("safe")], "2026-01", "2026-01")).toMatchObject({
      enough: false,
      bump: "minor",
    });
    expect(checkVersion([toChange("safe")], "2026-01", "2026-02").enough).toBe(true);
  });
});
