import { HttpError } from "../errors/http-error.js";
import { findJsonProblem } from "../../core/json/find-json-problem.js";
import { NOT_PLAIN, parsePlainJson } from "./plain-json.js";

/**
 * Parses JSON that can be kept exactly, and refuses the rest instead of changing it silently. A byte order mark is
 * refused too (RFC 8259, section 8.1).
 * @throws {HttpError} `malformed_json` with the line and column; it quotes nothing of the body.
 */
export function parseExactJson(bytes: Buffer): unknown {
  const value = parsePlainJson(bytes);
  return value === NOT_PLAIN ? parseChecked(bytes) : value;
}

function parseChecked(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new HttpError("malformed_json", { message: "The body is not UTF-8" });
  }
  const problem = findJsonProblem(text);
  if (problem !== undefined) {
    const before = text.slice(0, problem.index).split("\n");
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new HttpError("malformed_json", { message: `The body ${problem.what} (${place})` });
  }
  return JSON.parse(text) as unknown;
}
