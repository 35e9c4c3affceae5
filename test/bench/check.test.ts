import { describe, expect, test } from "@jest/globals";
import { type Answer, findDifferences } from "../../scripts/bench/http/check.js";

const HEADERS = { "content-type": "application/json", "x-request-id": "1" };
const refused: Answer = {
  status: 400,
  headers: HEADERS,
  body: { code: "invalid_body", message: 'Field "name" is required', status: 400 },
};

const compare = (ours: Answer, theirs: Answer) =>
  findDifferences("hono", new Map([["POST /v1/pets", ours]]), new Map([["POST /v1/pets", theirs]]));

describe("check of the benchmark", () => {
  test.each<[string, Answer]>([
    ["the same", refused],
    [
      "a framework's own words",
      { ...refused, body: { code: "invalid_body", message: "name!", status: 400 } },
    ],
    [
      "a charset of JSON",
      { ...refused, headers: { ...HEADERS, "content-type": "application/json; charset=utf-8" } },
    ],
  ])("%s is no difference", (_, theirs) => {
    expect(compare(refused, theirs)).toEqual([]);
  });

  test.each<[string, Answer]>([
    ["another status", { ...refused, status: 422 }],
    ["another code", { ...refused, body: { code: "bad", message: "name!", status: 400 } }],
    ["no message", { ...refused, body: { code: "invalid_body", status: 400 } }],
    ["a missing header", { ...refused, headers: { "content-type": "application/json" } }],
    ["another media type", { ...refused, headers: { ...HEADERS, "content-type": "text/html" } }],
    ["a further member", { ...refused, body: { ...(refused.body as object), stack: "…" } }],
  ])("%s is one", (_, theirs) => {
    expect(compare(refused, theirs)).toHaveLength(1);
  });

  test("an answer to a caller without a key has our words: they tell what to send", () => {
    const answer = (message: string): Answer => ({ status: 401, headers: HEADERS, body: { message } });
    expect(compare(answer("want a key"), answer("no"))).toHaveLength(1);
  });

  test("an answer that is missing is one", () => {
    expect(findDifferences("hono", new Map([["GET /", refused]]), new Map())).toHaveLength(1);
  });
});
