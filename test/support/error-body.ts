import { expect } from "@jest/globals";
import { HTTP_ERRORS } from "tenon/runtime";
import { at } from "../openapi/document.js";
import type { Answer } from "./http.js";

/** Code to status, as the table under "Errors" in the contract's description lists them. */
export const ERROR_CODES: ReadonlyMap<string, number> = readErrorCodes();

function readErrorCodes(): ReadonlyMap<string, number> {
  const rows = String(at("info", "description")).matchAll(/^\| (?<status>\d{3}) \| `(?<code>\w+)` \|/gm);
  const codes = [...rows].map(({ groups }) => [groups?.["code"] ?? "", Number(groups?.["status"])] as const);
  if (codes.length < 10) throw new Error("openapi/v1.yaml has no table of error codes any more");
  return new Map(codes);
}

/** Passes on an answer that is 2xx, 3xx, or has exactly the contract's error body with a code of its list. */
export function expectErrorBody<Given extends Pick<Answer, "status" | "headers" | "json">>(
  answer: Given,
  method = "GET",
): Given {
  const { status, headers, json } = answer;
  if (status >= 200 && status < 400) return answer;
  expect(headers["content-type"]).toBe("application/json");
  if (method === "HEAD") return answer;
  expect(json).toStrictEqual({
    code: expect.any(String) as unknown,
    message: expect.stringMatching(/^[A-Z]/) as unknown,
    status,
  });
  const { code, message } = json as { code: string; message: string };
  expect([code, ERROR_CODES.get(code)]).toStrictEqual([code, status]);
  // Nothing internal: no stack, no path of a file, no word of the database.
  expect(message).not.toMatch(/\bat \w+ \(|node_modules|\.[jt]s\b|sqlite|errno/i);
  // What a caller sent may be in the words about its mistake, and in no others.
  const own = status >= 500 ? message : "";
  expect(own).not.toMatch(/postgres|relation|\btables?\b|select |insert |update |\/(tmp|home|usr|src)\//i);
  expect(message).toBe(code === "internal_error" ? HTTP_ERRORS.internal_error.message : message);
  return answer;
}
