import { describe, expect, test } from "@jest/globals";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { CODES } from "../../../src/cli/diff/codes/codes.js";
import { compareContracts, type CompareOptions } from "../../../src/cli/diff/contract/compare-contracts.js";
import { toContract } from "./pair.js";

const EVE = Date.parse("2030-12-04T23:59:59.999Z");
const old = { deprecated: true, "x-sunset": "2030-12-05" };

async function compare(
  base: Node,
  revision: Node,
  options: Partial<CompareOptions> = {},
): Promise<readonly string[]> {
  const contracts = { base: buildContract(base), revision: buildContract(revision) };
  const changes = await compareContracts(contracts, { now: EVE, ...options });
  return changes
    .map(({ code, level, because = "" }) => `${level ?? CODES[code]?.level ?? ""} ${code} ${because}`.trim())
    .filter((change) => change !== "safe texts-changed");
}

const toService = (operation: object): Node => ({ ...toContract({}), paths: { "/a": { get: operation } } });

describe("removing a deprecated", () => {
  const parameters = [{ name: "q", in: "query", schema: {}, ...old }];
  const headers = { "X-A": { required: true, schema: {}, ...old } };
  const responses = { "200": { description: "Done.", headers } };
  const bare = { responses: { "200": { description: "Done." } } };

  test.each([
    ["operation", toService({ ...old, ...bare }), { ...toContract({}), paths: {} }, "operation-removed"],
    ["parameter", toService({ parameters, ...bare }), toService(bare), "request-parameter-removed"],
    ["header", toService({ responses }), toService(bare), "response-required-header-removed"],
  ])("%s breaks clients before its sunset date, and is safe after it", async (_, base, revision, code) => {
    expect(await compare(base, revision)).toEqual([
      `breaking ${code} Its sunset date, 2030-12-05, has not passed.`,
    ]);
    const after = code.replace("required-", "");
    expect(await compare(base, revision, { now: EVE + 1 })).toEqual([`safe ${after}-after-sunset`]);
  });

  test("property breaks clients before its sunset date, and is safe after it", async () => {
    const [base, revision] = [
      toContract({ required: ["a"], properties: { a: { type: "string", ...old } } }),
      toContract({ type: "object" }),
    ];
    const because = "Its sunset date, 2030-12-05, has not passed.";
    expect(await compare(base, revision)).toEqual([
      `risky request-required-property-removed ${because}`,
      `breaking response-required-property-removed ${because} Clients can receive {}, which was not valid before.`,
    ]);
    expect(await compare(base, revision, { now: EVE + 1 })).toEqual([
      "safe request-property-removed-after-sunset",
      "safe response-property-removed-after-sunset",
    ]);
  });

  test("operation without a sunset date breaks clients", async () => {
    const base = toService({ deprecated: true, ...bare });
    expect(await compare(base, { ...toContract({}), paths: {} })).toEqual([
      "breaking operation-removed It was deprecated without a sunset date.",
    ]);
  });
});

describe("the lowest stability level whose changes can be breaking", () => {
  const [narrow, wide] = [5, 9].map((maximum) => ({
    parameters: [{ name: "q", in: "query", schema: { type: "integer", maximum } }],
    responses: { "204": { description: "Done." } },
  }));

  test.each<[level: string, of: CompareOptions["stabilityLevel"], want: string]>([
    ["draft", undefined, "risky"],
    ["alpha", undefined, "risky"],
    ["experimental", undefined, "risky"],
    ["beta", undefined, "breaking"],
    ["stable", undefined, "breaking"],
    ["beta", "stable", "risky"],
    ["stable", "stable", "breaking"],
    ["experimental", "alpha", "breaking"],
    ["draft", "alpha", "risky"],
    ["draft", "draft", "breaking"],
  ])("an operation marked %s with the lowest level %s: %s", async (level, stabilityLevel, want) => {
    const [base, revision] = [wide, narrow].map((one) => toService({ ...one, "x-stability-level": level }));
    const because =
      want === "risky"
        ? `It would break clients, but the operation was marked ${level}.`
        : "6 was valid and is no longer valid.";
    expect(
      await compare(base ?? {}, revision ?? {}, stabilityLevel === undefined ? {} : { stabilityLevel }),
    ).toEqual([`${want} request-maximum-lowered ${because}`]);
  });

  test("a stable parameter does not make its operation more stable", async () => {
    const draft = { "x-stability-level": "draft" };
    const stable = { name: "q", in: "query", "x-stability-level": "stable", schema: {} };
    const base = toService({ ...draft, parameters: [stable], responses: {} });
    expect(await compare(base, toService({ ...draft, responses: {} }))).toEqual([
      "risky request-parameter-removed It would break clients, but the operation was marked draft.",
    ]);
  });
});

test("a schema shared by an experimental and a stable property has the stability of the stable one", async () => {
  const name = { $ref: "#/components/schemas/Name" };
  const lab = { "x-stability-level": "draft", properties: { name } };
  const toShared = (properties: object, maxLength: number): Node => ({
    ...toContract({ properties }),
    components: { schemas: { Name: { type: "string", maxLength } } },
  });
  // The path through the stable property is longer.
  const shared = { lab, deep: { properties: { deeper: { properties: { name } } } } };
  expect(await compare(toShared(shared, 9), toShared(shared, 5))).toContain(
    'breaking request-max-length-lowered At deep.deeper.name, "aaaaaa" was valid and is no longer valid.',
  );
  expect(await compare(toShared({ lab }, 9), toShared({ lab }, 5))).toEqual([
    "risky request-max-length-lowered It would break clients, but it was marked draft.",
    "safe response-max-length-lowered",
  ]);
});

describe("an invalid x-sunset or x-stability-level", () => {
  type Case = [name: string, base: object, revision: object, changes: readonly string[]];
  const none = {};
  const deprecated = { deprecated: true };
  const dated = { deprecated: true, "x-sunset": "2030-12-05" };
  const soon = { deprecated: true, "x-sunset": "soon" };
  const later = { deprecated: true, "x-sunset": "later" };
  const past = { deprecated: true, "x-sunset": "2026-11-21" };
  const toLevel = (level: unknown) => ({ "x-stability-level": level });
  const beta = toLevel("beta");
  const typo = toLevel("betta");
  const draft = toLevel("draft");

  const toDate = 'Expected an RFC 3339 full-date or date-time, for example "2030-12-05"';
  const DATE = `${toDate}; it counts as earlier than any promised date.`;
  const LEVEL = "Expected one of draft, alpha, experimental, beta, stable; it counts as draft.";
  const cases: Case[] = [
    ["date, then invalid", dated, soon, [`breaking lifecycle-invalid ${DATE}`]],
    ["no date, then invalid", deprecated, soon, [`breaking lifecycle-invalid ${DATE}`]],
    ["not deprecated, then invalid", none, soon, ["safe *-deprecated", `breaking lifecycle-invalid ${DATE}`]],
    ["invalid, then invalid in another way", soon, later, [`breaking lifecycle-invalid ${DATE}`]],
    ["invalid, then a date", soon, dated, ["safe sunset-added", "risky lifecycle-valid"]],
    [
      "invalid, then a date in the past",
      soon,
      { ...past },
      [
        "breaking sunset-added The sunset date has already passed: clients get no time to migrate.",
        "risky lifecycle-valid",
      ],
    ],
    ["invalid, then no date", soon, deprecated, ["risky lifecycle-valid"]],
    ["invalid, then not deprecated", soon, none, ["safe *-undeprecated"]],
    ["the same invalid date", soon, soon, []],
    ["an invalid date of what is not deprecated", none, { ...soon, deprecated: false }, []],
    ["level, then invalid", beta, typo, [`breaking lifecycle-invalid ${LEVEL}`]],
    ["no level, then invalid", none, typo, [`breaking lifecycle-invalid ${LEVEL}`]],
    ["invalid, then invalid in another way", typo, toLevel(5), [`breaking lifecycle-invalid ${LEVEL}`]],
    ["invalid, then stable", typo, none, ["safe lifecycle-valid"]],
    ["invalid, then a lower level", typo, draft, ["breaking stability-lowered", "safe lifecycle-valid"]],
    ["the same invalid level", typo, typo, []],
    [
      "an unprotected level, then invalid",
      draft,
      typo,
      ["risky lifecycle-invalid It would break clients, but * was marked draft."],
    ],
    [
      "an invalid start of the deprecation",
      deprecated,
      { deprecated: true, "x-deprecated-since": "once" },
      [`safe lifecycle-invalid ${toDate}.`],
    ],
    [
      "an invalid replacement",
      { deprecated: true, "x-replaced-by": "a" },
      { deprecated: true, "x-replaced-by": "" },
      ["safe lifecycle-invalid Expected the name of what to use instead."],
    ],
  ];
  const done = { "200": { description: "Done." } };
  const toParameter = (lifecycle: object) =>
    toService({ parameters: [{ name: "q", in: "query", schema: {}, ...lifecycle }], responses: done });
  const toHeader = (lifecycle: object) =>
    toService({
      responses: { "200": { description: "Done.", headers: { "X-A": { schema: {}, ...lifecycle } } } },
    });
  const toProperty = (lifecycle: object) =>
    toContract({ properties: { a: { type: "string", ...lifecycle } } });

  test.each(cases)("operation: %s", async (_, base, revision, changes) => {
    const toOperation = (lifecycle: object) => toService({ ...lifecycle, responses: done });
    expect(await compare(toOperation(base), toOperation(revision))).toEqual(
      changes.map((change) => change.replace("* was", "the operation was").replace("*", "operation")),
    );
  });

  test.each(cases)("parameter: %s", async (_, base, revision, changes) => {
    expect(await compare(toParameter(base), toParameter(revision))).toEqual(
      changes.map((change) =>
        change.replace("* was", 'the query parameter "q" was').replace("*", "request-parameter"),
      ),
    );
  });

  test.each(cases)("header: %s", async (_, base, revision, changes) => {
    expect(await compare(toHeader(base), toHeader(revision))).toEqual(
      changes.map((change) =>
        change.replace("* was", 'the header "X-A" was').replace("*", "response-header"),
      ),
    );
  });

  test.each(cases)("property: %s", async (_, base, revision, changes) => {
    const toCodes = (direction: string) =>
      changes.map((change) =>
        change
          .replace("* was", "it was")
          .replace("*-", "")
          .replace(/^(\w+) /, `$1 ${direction}-schema-`),
      );
    expect(await compare(toProperty(base), toProperty(revision))).toEqual([
      ...toCodes("request"),
      ...toCodes("response"),
    ]);
  });

  test("removing what has an invalid sunset date names the invalid date", async () => {
    expect(await compare(toParameter(soon), toService({ responses: done }))).toEqual([
      'breaking request-parameter-removed Its `x-sunset` is invalid: "soon".',
    ]);
    expect(await compare(toProperty(soon), toContract({ type: "object" }))).toEqual([
      'risky request-optional-property-removed Its `x-sunset` is invalid: "soon".',
      'risky response-optional-property-removed Its `x-sunset` is invalid: "soon".',
    ]);
  });
});
