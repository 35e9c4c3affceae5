import { describe, expect, test } from "@jest/globals";
import { DATE_FORMATS } from "../../../src/tenon/core/validation/date-formats.js";
import { generate } from "./agreement.js";
import { accepted } from "../../support/accepted.js";

const RIGHT = {
  date: ["2026-11-21", "2024-02-29", "2000-02-29", "0000-02-29", "0001-01-01", "9999-12-31", "0026-01-31"],
  time: [
    ...["00:00:00Z", "23:59:59.999999999z", "12:00:00+23:59", "12:00:00-00:00"],
    ...["23:59:60Z", "15:59:60-08:00", "00:59:60.5+01:00"],
  ],
  "date-time": [
    ...["2026-11-21T12:00:00Z", "2026-11-21t12:00:00.5z", "1937-01-01T12:00:27.87+00:20"],
    // RFC 3339, section 5.8: the same leap second on both sides of the date line.
    ...["1990-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00", "1991-01-01T00:59:60+01:00"],
    ...["2016-06-30T23:59:60Z", "2024-02-29T23:59:60Z"],
  ],
} as const;

const WRONG = {
  date: [
    ...["2020-02-30", "2020-13-01", "2020-00-10", "2020-01-00", "2020-04-31", "2023-02-29", "1900-02-29"],
    ...[
      "2026-1-1",
      "26-01-01",
      "02026-01-01",
      "2026/01/01",
      "2026-01-01T00:00:00Z",
      "",
      "٢٠٢٦-01-01",
      "2026-01-01\n",
    ],
  ],
  time: [
    ...["24:00:00Z", "12:60:00Z", "12:00:61Z", "12:00:00", "12:00Z", "12:00:00.Z", "12:00:00+24:00"],
    ...["12:00:00+01:60", "12:00:00+0100", "12:00:00+01", "22:59:60Z", "23:58:60Z", "23:59:60+01:00", ""],
  ],
  "date-time": [
    ...["2020-02-30T12:00:00Z", "2020-13-01T12:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T12:00:00"],
    ...[
      "2026-11-21 12:00:00Z",
      "2026-11-21",
      "2026-11-21T12:00:00+01",
      "1990-12-31T23:59:61Z",
      "2026-11-21Tz",
    ],
    // A leap second ends a month in UTC, wherever it is written down.
    ...[
      "1990-12-30T23:59:60Z",
      "1991-01-01T00:59:60Z",
      "1990-12-31T23:59:60+01:00",
      "1990-12-30T15:59:60-08:00",
    ],
  ],
} as const;

const FORMATS = ["date", "time", "date-time"] as const;
const rows = (texts: typeof RIGHT | typeof WRONG) =>
  FORMATS.flatMap((format) => texts[format].map((text) => [format, text] as const));

const response = (schema: object) => ({ description: "ok", content: { "application/json": { schema } } });
const { operations } = generate(
  Object.fromEntries(
    FORMATS.map((format) => {
      const schema = { type: "string", format };
      const parameters = [{ name: "p", in: "query", schema }];
      const requestBody = { required: true, content: { "application/json": { schema } } };
      return [`/${format}`, { post: { parameters, requestBody, responses: { "200": response(schema) } } }];
    }),
  ),
);

/** What a request's parameter, its body, and a response say of a text. */
function judge(format: (typeof FORMATS)[number], text: string): readonly boolean[] {
  const found = operations.find(({ operation }) => operation.path === `/${format}`);
  if (found === undefined) throw new Error(`No operation for ${format}`);
  const { validator } = found;
  const isTaken = (parameter: string, body: string): boolean => {
    try {
      accepted(
        validator.request({ parameters: { "query/p": parameter }, mediaType: "application/json", body }),
      );
      return true;
    } catch {
      return false;
    }
  };
  const [good] = RIGHT[format];
  const content = { mediaType: "application/json", kind: "json", body: text } as const;
  return [
    isTaken(text, good),
    isTaken(good, text),
    validator.response({ status: 200, content, headers: {} }).length === 0,
  ];
}

describe("dates are those of the calendar, on both sides", () => {
  test.each(rows(RIGHT))("%s %s", (format, text) => {
    expect(judge(format, text)).toEqual([true, true, true]);
  });

  test.each(rows(WRONG))("no %s: %j", (format, text) => {
    expect(judge(format, text)).toEqual([false, false, false]);
  });

  test("every day of 400 years, and no other, as the platform's calendar has them", () => {
    const wrong: string[] = [];
    for (let year = 1900; year < 2300; year += 1) {
      for (let month = 1; month <= 12; month += 1) {
        for (let day = 28; day <= 31; day += 1) {
          const text = `${year}-${String(month).padStart(2, "0")}-${day}`;
          const isReal = new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
          if (DATE_FORMATS.date(text) !== isReal) wrong.push(text);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
