import { describe, expect, test } from "@jest/globals";
import {
  endsBeforeStart,
  findInvalidExtensions,
  type Lifecycle,
  rankStability,
  readLifecycle,
  showInstant,
  STABILITY_LEVELS,
} from "../../../src/tenon/core/document/lifecycle.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";

const sunset = Date.UTC(2030, 11, 5);

describe("lifecycle", () => {
  test.each<[name: string, node: object, want: Lifecycle]>([
    ["no keyword", {}, { deprecated: false, stability: "stable" }],
    [
      "all keywords",
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
      "a sunset date implies deprecation",
      { "x-sunset": "2030-12-05" },
      { deprecated: true, sunset, stability: "stable" },
    ],
    [
      "deprecated: false disables the dates",
      { deprecated: false, "x-sunset": "2030-12-05", "x-replaced-by": "listPets" },
      { deprecated: false, stability: "stable" },
    ],
    [
      "invalid values count as absent",
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
      "inherited members count as absent",
      { __proto__: { deprecated: true } },
      { deprecated: false, stability: "stable" },
    ],
  ])("%s", (_, node, want) => {
    expect(readLifecycle(node)).toEqual(want);
  });

  test("invalid values are listed with the expected value", () => {
    const node = { "x-sunset": "soon", "x-replaced-by": {}, "x-stability-level": "Beta" };
    expect(findInvalidExtensions(node)).toEqual([
      { key: "x-sunset", value: "soon", expected: expect.stringContaining("RFC 3339") },
      { key: "x-replaced-by", value: {}, expected: "the name of what to use instead" },
      {
        key: "x-stability-level",
        value: "Beta",
        expected: "one of draft, alpha, experimental, beta, stable",
      },
    ]);
  });

  test("the sunset may equal the deprecation but not precede it", () => {
    const lasts = (since: number) => ({ deprecated: true, stability: "stable", since, sunset }) as const;
    expect([lasts(sunset - 1), lasts(sunset), lasts(sunset + 1)].map(endsBeforeStart)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("levels are ordered, and experimental is equal to alpha", () => {
    expect(STABILITY_LEVELS.map(rankStability)).toEqual([0, 1, 1, 3, 4]);
  });
});

test.each([
  ["2030-12-05", "2030-12-05"],
  ["2030-12-05T01:00:00+01:00", "2030-12-05"],
  ["2030-12-05T12:30:00+02:00", "2030-12-05T10:30:00Z"],
  ["2030-12-05T00:00:00.5Z", "2030-12-05T00:00:00.500Z"],
])("the instant %s is formatted as %s", (instant, want) => {
  expect(showInstant(Date.parse(instant))).toBe(want);
});

test("the replacement of an operation may be a URL, and no other unknown name", () => {
  const report = (replacedBy: string): readonly string[] => {
    const codes: string[] = [];
    const operation = { deprecated: true, "x-replaced-by": replacedBy, responses: {} };
    const document = { openapi: "3.1.0", paths: { "/pets": { get: operation } } };
    buildContract(document, { report: (code) => codes.push(code) });
    return codes;
  };
  expect(report("/v2/pets")).toEqual([]);
  expect(report("listPets")).toEqual(["replaced-by-unknown"]);
});
