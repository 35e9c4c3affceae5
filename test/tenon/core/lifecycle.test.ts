import { describe, expect, test } from "@jest/globals";
import {
  endsBeforeStart,
  findUnreadable,
  type Lifecycle,
  rankStability,
  readLifecycle,
  STABILITY_LEVELS,
} from "../../../src/tenon/core/document/lifecycle.js";
import { showInstant } from "../../../src/tenon/core/document/instant.js";

const sunset = Date.UTC(2030, 11, 5);

describe("lifecycle", () => {
  test.each<[name: string, node: object, want: Lifecycle]>([
    ["nothing is said", {}, { deprecated: false, stability: "stable" }],
    [
      "everything is said",
      {
        deprecated: true,
        "x-deprecated-since": "2026-11-21",
        "x-sunset": "2030-12-05",
        "x-replaced-by": "listPets",
        "x-stability-level": "beta",
      },
      {
        deprecated: true,
        since: Date.UTC(2026, 10, 21),
        sunset,
        replacedBy: "listPets",
        stability: "beta",
      },
    ],
    [
      "an instant in another time zone",
      { deprecated: true, "x-sunset": "2030-12-05T01:00:00+01:00" },
      { deprecated: true, sunset, stability: "stable" },
    ],
    [
      "only what is deprecated has an end, so that it is deprecated",
      { "x-sunset": "2030-12-05" },
      { deprecated: true, sunset, stability: "stable" },
    ],
    [
      "what is said not to be deprecated has no end",
      { deprecated: false, "x-sunset": "2030-12-05", "x-replaced-by": "listPets" },
      { deprecated: false, stability: "stable" },
    ],
    [
      "what nobody can read is not written",
      {
        deprecated: true,
        "x-deprecated-since": 2026,
        "x-sunset": "2030-02-30",
        "x-replaced-by": " ",
        "x-stability-level": "expermental",
      },
      { deprecated: true, stability: "stable" },
    ],
    [
      "what is inherited is not written",
      { __proto__: { deprecated: true } },
      { deprecated: false, stability: "stable" },
    ],
  ])("%s", (_, node, want) => {
    expect(readLifecycle(node)).toEqual(want);
  });

  test("what nobody can read is named, with what it should be", () => {
    const node = { "x-sunset": "soon", "x-replaced-by": {}, "x-stability-level": "Beta" };
    expect(findUnreadable(node)).toEqual([
      { key: "x-sunset", value: "soon", wanted: expect.stringContaining("RFC 3339") },
      { key: "x-replaced-by", value: {}, wanted: "the name of what to use instead" },
      { key: "x-stability-level", value: "Beta", wanted: "one of draft, alpha, experimental, beta, stable" },
    ]);
  });

  test("the end may be the start, and not come before it", () => {
    const lasts = (since: number) => ({ deprecated: true, stability: "stable", since, sunset }) as const;
    expect([lasts(sunset - 1), lasts(sunset), lasts(sunset + 1)].map(endsBeforeStart)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("the levels are in order, and experimental promises what alpha does", () => {
    expect(STABILITY_LEVELS.map(rankStability)).toEqual([0, 1, 1, 3, 4]);
  });
});

test.each([
  ["2030-12-05", "2030-12-05"],
  ["2030-12-05T01:00:00+01:00", "2030-12-05"],
  ["2030-12-05T12:30:00+02:00", "2030-12-05T10:30:00Z"],
  ["2030-12-05T00:00:00.5Z", "2030-12-05T00:00:00.500Z"],
])("the instant %s reads %s", (instant, want) => {
  expect(showInstant(Date.parse(instant))).toBe(want);
});
