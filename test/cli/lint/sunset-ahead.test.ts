import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/sunset-ahead";
const DOCUMENT = `openapi: 3.1.0
paths:
  /pets:
    get:
      deprecated: true
      x-sunset: "2030-12-05"
`;
const past =
  "6:17 error Expected `x-sunset` to be ahead; 2030-12-05 is past. Remove the operation or move the date.";

test.each([
  { today: "2030-06-08", want: [] },
  {
    today: "2030-06-09",
    want: ["6:17 warn Expected `x-sunset` to be at least 180 days ahead; 2030-12-05 is 179 days ahead."],
  },
  {
    today: "2030-12-04T23:59:59Z",
    want: ["6:17 warn Expected `x-sunset` to be at least 180 days ahead; 2030-12-05 is 0 days ahead."],
  },
  { today: "2030-12-05", want: [past] },
  { today: "2031-01-01", want: [past] },
])("sunset-ahead: on $today with the default of 180 days", async ({ today, want }) => {
  expect(await problemsOf(DOCUMENT, { rule, options: { today } })).toEqual(want);
});

test.each([
  { warnDays: 30, want: [] },
  {
    warnDays: 31,
    want: ["6:17 warn Expected `x-sunset` to be at least 31 days ahead; 2030-12-05 is 30 days ahead."],
  },
])("sunset-ahead: 30 days ahead with warnDays $warnDays", async ({ warnDays, want }) => {
  expect(await problemsOf(DOCUMENT, { rule, options: { today: "2030-11-05", warnDays } })).toEqual(want);
});

test("sunset-ahead: a value that is no date is left to deprecation-named", async () => {
  const source = DOCUMENT.replace("2030-12-05", "soon");
  expect(await problemsOf(source, { rule, options: { today: "2031-01-01" } })).toEqual([]);
});

test("sunset-ahead: parameters, headers and properties end too", async () => {
  const source = `openapi: 3.1.0
paths:
  /pets:
    get:
      parameters:
        - { name: limit, in: query, deprecated: true, x-sunset: 2030-12-05, schema: { type: integer } }
      responses:
        "200":
          headers:
            X-Total: { deprecated: true, x-sunset: 2030-12-06, schema: { type: integer } }
          content:
            application/json:
              schema: { properties: { name: { deprecated: true, x-sunset: 2030-12-07T01:00:00+01:00 } } }
`;
  const wanted = "Expected `x-sunset` to be at least 180 days ahead;";
  expect(await problemsOf(source, { rule, options: { today: "2030-12-05" } })).toEqual([
    `6:65 ${past.replace("6:17 ", "").replace("operation", "parameter")}`,
    `10:52 warn ${wanted} 2030-12-06 is 1 days ahead.`,
    `13:75 warn ${wanted} 2030-12-07 is 2 days ahead.`,
  ]);
});

test("sunset-ahead: what is said not to be deprecated does not end", async () => {
  const source = DOCUMENT.replace("deprecated: true", "deprecated: false");
  expect(await problemsOf(source, { rule, options: { today: "2031-01-01" } })).toEqual([]);
});

test("sunset-ahead: compares with the clock when no day is given", async () => {
  expect(await problemsOf(DOCUMENT.replace("2030", "2001"), { rule })).toEqual([
    past.replace("2030", "2001"),
  ]);
});

test("sunset-ahead: refuses a day that is no date", async () => {
  await expect(problemsOf(DOCUMENT, { rule, options: { today: "tomorrow" } })).rejects.toThrow(
    'Expected option `today` to be an RFC 3339 date; found "tomorrow".',
  );
});
