// @slow: tries random schemas.
import { inspect } from "node:util";
import "temporal-polyfill/global";
import "temporal-polyfill/types/global";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { emitSchemas } from "../../../src/cli/generate/schemas/schemas.js";
import { createValues, toNumbers, toStrings } from "../../../src/cli/values/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { DATE_FORMATS } from "../../../src/tenon/core/validation/date-formats.js";
import type { Codec } from "../../../src/tenon/schemas/index.js";
import { toOperationContract } from "../../cli/generate/contract.js";
import * as codecs from "../../fixtures/codecs/generated/schemas.js";
import { createRandom, createSchema, createValue, FIXED, type Random } from "./random-schemas.js";
import { evaluate } from "./validators.js";
import { toCount } from "../../support/to-count.js";

const SEEDS = toCount(40);

const AT = "2026-11-24T10:00:00Z";
const DATE = new Date(AT);
const ORDER = {
  ...{ id: 7, total: "9007199254740993", count: 1, at: AT, endedAt: null, seenAt: AT, history: [AT, AT] },
  ...{
    byDay: { a: AT },
    range: [AT, true, 1, 2],
    plain: { day: "2026-01-01" },
    parent: { id: 8, total: "0" },
  },
  ...{
    note: { text: "x", readAt: AT, createdAt: AT, tree: [[]] },
    free: [AT],
    ["__proto__"]: AT,
    constructor: AT,
  },
};

/** A text of a value with the types in it: a member `constructor` hides the type of an object from Jest. */
const show = (value: unknown): string => inspect(value, { depth: Infinity, sorted: true });

const getValue = <Value>(result: {
  readonly value?: Value;
  readonly issues?: unknown;
}): Value | undefined => {
  expect(result.issues).toBeUndefined();
  return result.value;
};

test("a codec converts every place of a schema, and back", () => {
  const order = getValue(codecs.OrderCodec.decode(ORDER));
  const parent: codecs.OrderDecoded = { id: 8n, total: 0n };
  const decoded: codecs.OrderDecoded = {
    ...{ id: 7n, total: 9_007_199_254_740_993n, count: 1n, at: DATE, endedAt: null, seenAt: DATE },
    ...{ history: [DATE, DATE], byDay: { a: DATE }, range: [DATE, true, 1n, 2n], parent, free: [AT] },
    plain: { day: "2026-01-01" },
    note: { text: "x", readAt: DATE, createdAt: DATE, tree: [[]] },
    ...{ ["__proto__"]: DATE, constructor: DATE },
  };
  expect(order).toEqual(decoded);
  expect(Object.getPrototypeOf(order)).toBe(Object.prototype);
  expect(codecs.OrderCodec.encode(decoded)).toEqual({ value: ORDER });
  expect(codecs.listOrders200Codec.encode([decoded])).toEqual({ value: [ORDER] });
});

test("a codec implements Standard Schema: its input is JSON, its output has the types of JavaScript", () => {
  const standard = codecs.changeOrdersBodyCodec["~standard"];
  const input: NonNullable<typeof standard.types>["input"] = { until: AT };
  const output: NonNullable<typeof standard.types>["output"] = {
    until: DATE,
    after: new Date("2026-01-01T00:00:00Z"),
  };
  expect(standard.validate(input)).toStrictEqual({ value: output });
  expect(standard.validate({}).issues).toEqual([{ path: ["until"], message: "is required" }]);
  expect(codecs.changeOrdersBodyCodec.encode(output)).toStrictEqual({
    value: { until: AT, after: "2026-01-01T00:00:00Z" },
  });
});

test("values and JSON are not changed", () => {
  const json = structuredClone(ORDER);
  const value = getValue(codecs.OrderCodec.decode(json));
  expect(json).toStrictEqual(ORDER);
  const before = show(value);
  if (value) codecs.OrderCodec.encode(value);
  expect(show(value)).toBe(before);
});

test("schemas without a converted format have no codec", () => {
  expect(Object.keys(codecs).filter((name) => /Plain.*Codec|PlainDecoded|Tree.*Codec/.test(name))).toEqual(
    [],
  );
});

const INEXACT =
  "must be exact as a Date: with milliseconds at most, no leap second, and a year of four digits in UTC";

describe("date-time as Date", () => {
  test.each([
    [AT, AT],
    ["2026-11-24T10:00:00.5Z", "2026-11-24T10:00:00.5Z"],
    ["2026-11-24T10:00:00.120Z", "2026-11-24T10:00:00.12Z"],
    ["2026-11-24T10:00:00.123000000Z", "2026-11-24T10:00:00.123Z"],
    ["2026-11-24t10:00:00z", AT],
    ["2026-11-24T12:00:00+02:00", AT],
    ["2026-11-24T10:00:00-00:00", AT],
    ["2026-11-23T10:01:00-23:59", "2026-11-24T10:00:00Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is the instant %s", (text, same) => {
    const value = getValue(codecs.MomentCodec.decode(text)) ?? new Date(Number.NaN);
    expect(codecs.MomentCodec.encode(value)).toEqual({ value: same });
    expect(codecs.MomentCodec.decode(same)).toEqual({ value });
  });

  test.each([
    "2026-11-24T10:00:00.0001Z",
    "2026-11-24T10:00:00.123456789Z",
    "2016-12-31T23:59:60Z",
    "9999-12-31T23:59:59-01:00",
    "0000-01-01T00:00:00+01:00",
  ])("%s is refused", (text) => {
    expect(codecs.MomentCodec.decode(text)).toEqual({ issues: [{ path: [], message: INEXACT }] });
    const order = { id: 1, total: "1", history: [AT, text] };
    expect(codecs.OrderCodec.decode(order).issues).toEqual([{ path: ["history", 1], message: INEXACT }]);
  });

  test.each([new Date(Number.NaN), new Date("+010000-01-01T00:00:00Z"), new Date("-000001-01-01T00:00:00Z")])(
    "the Date %p is refused",
    (at) => {
      expect(codecs.OrderCodec.encode({ id: 1n, total: 1n, at }).issues).toEqual([
        { path: ["at"], message: "must be a valid Date with a year of four digits" },
      ]);
    },
  );
});

describe("int64 as bigint", () => {
  test.each(["0", "-1", "9223372036854775807", "-9223372036854775808"])("the text %s is exact", (total) => {
    const value = getValue(codecs.OrderCodec.decode({ id: 1, total }));
    expect(value?.total).toBe(BigInt(total));
    expect(value && codecs.OrderCodec.encode(value)).toEqual({ value: { id: 1, total } });
  });

  test.each(["", "-0", "+1", "007", "1.0", "1e3", " 1", "0x10", "9223372036854775808", "9".repeat(40)])(
    "the text %j is refused",
    (total) => {
      expect(codecs.OrderCodec.decode({ id: 1, total }).issues).toEqual([
        { path: ["total"], message: "must be an integer of 64 bits in digits, without leading zeros" },
      ]);
    },
  );

  test("a number beyond 2^53 is refused in both directions: JSON.parse has rounded it", () => {
    const { issues } = codecs.OrderCodec.decode(JSON.parse('{ "id": 9007199254740993, "total": "1" }'));
    expect(issues).toEqual([{ path: ["id"], message: "must be at most 9007199254740991" }]);
    for (const id of [2n ** 53n, -(2n ** 53n), 10n ** 400n])
      expect(codecs.OrderCodec.encode({ id, total: 1n }).issues).toEqual([
        { path: ["id"], message: "must be from -9007199254740991 to 9007199254740991" },
      ]);
    expect(codecs.OrderCodec.encode({ id: 1n, total: 2n ** 63n }).issues).toEqual([
      { path: ["total"], message: "must be an integer of 64 bits" },
    ]);
  });
});

describe("formats as Temporal", () => {
  const schemas = {
    Moment: { type: "string", format: "date-time" },
    Day: { type: "string", format: "date" },
    Sale: {
      type: "object",
      required: ["at"],
      properties: {
        at: { $ref: "#/components/schemas/Moment" },
        days: { type: "array", items: { $ref: "#/components/schemas/Day" } },
      },
    },
  };
  const text = emitSchemas(toOperationContract({}, schemas), {
    ...{ source: "test", marked: false },
    codecs: { "date-time": "Temporal.Instant", date: "Temporal.PlainDate" },
  });
  const { MomentCodec, DayCodec, SaleCodec } = evaluate(text) as unknown as Readonly<
    Record<string, Codec<unknown, unknown>>
  >;

  test("types name them", () => {
    expect(text).toContain(
      "export type SaleDecoded = {\n  at: Temporal.Instant;\n  days?: readonly Temporal.PlainDate[];",
    );
  });

  test.each([
    [AT, AT],
    ["2026-11-24T10:00:00.123456789Z", "2026-11-24T10:00:00.123456789Z"],
    ["2026-11-24t12:00:00.100+02:00", "2026-11-24T10:00:00.1Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
  ])("%s is the instant %s", (json, same) => {
    const value = getValue(MomentCodec?.decode(json) ?? {});
    expect(value).toBeInstanceOf(Temporal.Instant);
    expect(MomentCodec?.encode(value)).toEqual({ value: same });
  });

  test.each(["2026-11-24T10:00:00.1234567891Z", "2016-12-31T23:59:60Z", "0000-01-01T00:00:00+01:00"])(
    "the date-time %s is refused",
    (json) => {
      expect(MomentCodec?.decode(json).issues).toHaveLength(1);
    },
  );

  test.each(["2026-11-24", "0000-02-29", "9999-12-31"])("the date %s is exact", (json) => {
    const value = getValue(DayCodec?.decode(json) ?? {});
    expect(value).toBeInstanceOf(Temporal.PlainDate);
    expect(DayCodec?.encode(value)).toEqual({ value: json });
  });

  test("values within others", () => {
    const json = { at: AT, days: ["2026-11-24"] };
    const value = { at: Temporal.Instant.from(AT), days: [Temporal.PlainDate.from("2026-11-24")] };
    expect(show(SaleCodec?.decode(json))).toBe(show({ value }));
    expect(SaleCodec?.encode(value)).toEqual({ value: json });
    expect(SaleCodec?.encode({ at: DATE }).issues).toEqual([{ path: ["at"], message: "must be a string" }]);
    expect(SaleCodec?.encode({ ...value, days: ["2026-11-24"] }).issues).toEqual([
      { path: ["days", 0], message: "must be a Temporal.PlainDate" },
    ]);
  });
});

describe("values of other types are issues", () => {
  const encode = (more: object) => codecs.OrderCodec.encode({ id: 1n, total: 1n, ...more });
  test.each([
    [{ at: AT }, ["at"], "must be a Date"],
    [{ id: 7 }, ["id"], "must be a bigint"],
    [{ total: "7" }, ["total"], "must be a bigint"],
    [{ at: 7 }, ["at"], "must be a string"],
    [{ endedAt: AT }, ["endedAt"], "must be a Date"],
    [{ free: { a: [DATE] } }, ["free", "a", 0], "must be a value of JSON"],
    [{ free: 1n }, ["free"], "must be a value of JSON"],
    [{ free: new Map() }, ["free"], "must be a value of JSON"],
    [{ free: Number.NaN }, ["free"], "must be a value of JSON"],
  ])("%p", (more, path, message) => {
    expect(encode(more).issues).toEqual([{ path, message }]);
  });

  test("a value that contains itself", () => {
    const parent: Record<string, unknown> = { id: 1n, total: 1n };
    parent["parent"] = parent;
    expect(encode({ parent }).issues).toEqual([{ path: [], message: "is nested too deeply" }]);
  });
});

describe("unions", () => {
  test.each<[json: unknown, value: codecs.DeadlineDecoded]>([
    [AT, DATE],
    [7, 7n],
    ["never", "never"],
    [{ days: 3 }, { days: 3 }],
    [{ at: AT }, { at: DATE }],
  ])("%j is converted by its alternative", (json, value) => {
    expect(codecs.DeadlineCodec.decode(json)).toStrictEqual({ value });
    expect(codecs.DeadlineCodec.encode(value)).toStrictEqual({ value: json });
  });

  test("a discriminator selects the alternative", () => {
    for (const [kind, at] of [
      ["sent", DATE],
      ["received", AT],
    ] as const) {
      expect(codecs.EventCodec.decode({ kind, at: AT })).toStrictEqual({ value: { kind, at } });
      expect(codecs.EventCodec.encode({ kind, at } as codecs.EventDecoded)).toStrictEqual({
        value: { kind, at: AT },
      });
    }
    const wrong = { kind: "received", at: DATE } as unknown as codecs.EventDecoded;
    expect(codecs.EventCodec.encode(wrong).issues).toHaveLength(1);
  });

  test("a value whose JSON would be decoded by another alternative is refused", () => {
    expect(codecs.LooseCodec.decode(AT)).toEqual({ value: AT });
    expect(codecs.LooseCodec.encode(DATE).issues).toEqual([
      { path: [], message: "must be a value of one alternative" },
    ]);
  });
});

/** Gives some strings and integers of a schema a format with a codec. */
function addFormats(schema: unknown, random: Random): unknown {
  if (Array.isArray(schema)) return schema.map((item) => addFormats(item, random));
  if (typeof schema !== "object" || schema === null) return schema;
  const { type } = schema as { readonly type?: unknown };
  const isLeaf = typeof type === "string" || Array.isArray(type);
  const has = (name: string) => [type].flat().includes(name);
  if (isLeaf && has("string") && random(3) > 0)
    return { type, format: random(4) > 0 ? "date-time" : "int64" };
  if (isLeaf && has("integer") && random(3) > 0) return { ...schema, format: "int64" };
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, addFormats(member, random)]),
  );
}

const TEXTS = [AT, "2026-11-24T12:00:00.250+02:00", "2026-11-24T10:00:00.0001Z", "12", "007", "never", ""];

/** Puts texts of the formats in the place of some values. */
function addTexts(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => addTexts(item, random));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, addTexts(item, random)]));
  return random(2) === 0 ? TEXTS[random(TEXTS.length)] : value;
}

/** Puts Dates and bigints in the place of some values. */
function addValues(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => addValues(item, random));
  if (typeof value === "object" && value !== null && !(value instanceof Date))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, addValues(item, random)]));
  return random(3) === 0 ? [DATE, 7n, AT, 7, null, "7"][random(6)] : value;
}

/** JSON in which each date-time is that of UTC without zeros at its end. */
const normalize = (json: unknown): unknown =>
  JSON.parse(
    JSON.stringify(json, (_, value: unknown) =>
      typeof value === "string" && DATE_FORMATS["date-time"](value) && !/\.\d{3}\d*[1-9]/.test(value)
        ? new Date(value.toUpperCase()).toISOString().replace(/\.?0*Z$/, "Z")
        : value,
    ),
  );

test("random schemas: what is decoded is encoded to the same JSON, and what is encoded is decoded to the same value", () => {
  const counted = { decoded: 0, converted: 0, encoded: 0, refused: 0 };
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const random = createRandom(seed * 7_919 + 29);
    const schemas = addFormats({ ...FIXED, Random: createSchema(random, 4) }, random) as object;
    const codes: string[] = [];
    buildContract(
      { openapi: "3.1.0", paths: {}, components: { schemas } },
      {
        report: (code) => void codes.push(code),
      },
    );
    if (codes.includes("schema-circular")) continue;
    const contract = toOperationContract({}, schemas);
    const all = evaluate(
      emitSchemas(contract, {
        source: "test",
        marked: false,
        codecs: { "date-time": "Date", int64: "bigint" },
      }),
    ) as unknown as Readonly<Record<string, Codec<unknown, unknown>>>;
    for (const { name, typeName } of contract.schemas) {
      const codec = all[`${typeName}Codec`];
      if (codec === undefined || (name !== "Random" && seed % 20 > 0)) continue;
      const make = createValues({
        registry: contract.registry,
        side: "response",
        leaves: { strings: toStrings, numbers: toNumbers },
        examples: 0,
        optional: 0.7,
      })(contract.registry.component(name));
      const made = make === undefined ? [] : fc.sample(make, { numRuns: 15, seed });
      const values = [
        ...made,
        ...made.map((value) => addTexts(value, random)),
        addTexts(createValue(random), random),
      ];
      for (const json of values) {
        const { issues, value } = codec.decode(json) as { issues?: unknown; value?: unknown };
        const context = { seed, name, json, value };
        if (issues === undefined) {
          counted.decoded += 1;
          const again = codec.encode(value) as { issues?: unknown; value?: unknown };
          if (again.issues !== undefined) {
            // Two texts of one instant are different items, a pattern can require a form, and two unions of one value, of which only
            // one has a conversion, are not told apart.
            counted.refused += 1;
          } else {
            if (show(value) !== show(json)) counted.converted += 1;
            expect({ ...context, json: normalize(again.value) }).toEqual({
              ...context,
              json: normalize(json),
            });
            expect(show({ ...context, ...codec.decode(again.value) })).toBe(show(context));
          }
        }
        const other = addValues(value ?? json, random);
        const encoded = codec.encode(other) as { issues?: unknown; value?: unknown };
        if (encoded.issues !== undefined) continue;
        counted.encoded += 1;
        expect(show({ seed, name, ...codec.decode(encoded.value) })).toBe(show({ seed, name, value: other }));
      }
    }
  }
  expect(counted.decoded).toBeGreaterThan(SEEDS * 5);
  expect(counted.converted).toBeGreaterThan(SEEDS / 2);
  expect(counted.encoded).toBeGreaterThan(SEEDS);
  expect(counted.refused).toBeLessThan(counted.decoded / 8);
});
