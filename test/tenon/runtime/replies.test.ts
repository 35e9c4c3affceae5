import { describe, expect, test } from "@jest/globals";
import type { OperationDescriptor } from "../../../src/tenon/runtime/index.js";
import { createReplies } from "../../../src/tenon/runtime/response/replies.js";
import { OPERATIONS } from "./service.js";

const JSON_TYPES = { mediaTypes: ["application/json"] };
const [OPERATION] = OPERATIONS as [OperationDescriptor];
const reply = createReplies({
  ...OPERATION,
  responses: {
    "204": { mediaTypes: [] },
    "2XX": JSON_TYPES,
    "3XX": { mediaTypes: [] },
    "404": JSON_TYPES,
    default: JSON_TYPES,
  },
}) as Readonly<Record<string, (status: number, body?: unknown) => object>>;

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
    ["default", 100, "it is no status of an answer"],
    ["default", 600, "it is no status of an answer"],
    ["default", 404.5, "it is no status of an answer"],
    ["default", NaN, "it is no status of an answer"],
  ])("reply[%j](%d) fails where it is called", (key, status, reason) => {
    expect(() => reply[key]?.(status, {})).toThrow(
      new TypeError(`reply["${key}"] of "listThings" cannot send ${status}: ${reason}`),
    );
  });
});
