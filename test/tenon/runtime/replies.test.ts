import { describe, expect, test } from "@jest/globals";
import { createReplies } from "../../../src/tenon/runtime/response/replies.js";
import { getOperation, toOperationContract } from "../../cli/generate/contract.js";

const EMPTY = { description: "d" };
const JSON_BODY = { ...EMPTY, content: { "application/json": {} } };
const responses = { "204": EMPTY, "2XX": JSON_BODY, "3XX": EMPTY, "404": JSON_BODY, default: JSON_BODY };
const reply = createReplies(
  getOperation(toOperationContract({ operationId: "listThings", responses })),
) as Readonly<Record<string, (status: number, body?: unknown) => object>>;

describe("a status that the contract leaves open", () => {
  test.each([
    ["2XX", 202],
    ["3XX", 304],
    ["default", 418],
    ["default", 503],
  ])("reply[%j](%d)", (key, status) => {
    expect(reply[key]?.(status, {})).toMatchObject({ status });
  });

  test.each([
    ["2XX", 204, 'reply["204"] is for it'],
    ["2XX", 205, "it has no body, and this response has one"],
    ["2XX", 404, 'reply["404"] is for it'],
    ["default", 204, 'reply["204"] is for it'],
    ["default", 201, 'reply["2XX"] is for it'],
    ["default", 404, 'reply["404"] is for it'],
    ["default", 100, "it is not a response status"],
    ["default", 600, "it is not a response status"],
    ["default", 404.5, "it is not a response status"],
    ["default", NaN, "it is not a response status"],
  ])("reply[%j](%d) fails where it is called", (key, status, reason) => {
    expect(() => reply[key]?.(status, {})).toThrow(
      new TypeError(`reply["${key}"] of "listThings" cannot send ${status}: ${reason}`),
    );
  });
});
