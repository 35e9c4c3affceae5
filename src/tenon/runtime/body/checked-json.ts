import { findJsonProblem } from "../../core/json/find-json-problem.js";
import { HttpError } from "../errors/http-error.js";

/** Parses JSON as `parseExactJson` does, without its shortcut for plain JSON, which needs Node. */
export function parseCheckedJson(bytes: Uint8Array, subject = "The body"): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new HttpError("malformed_json", { message: `${subject} is not UTF-8` });
  }
  const problem = findJsonProblem(text);
  if (problem !== undefined) {
    const before = text.slice(0, problem.index).split("\n");
    const column = `column ${(before.at(-1)?.length ?? 0) + 1}`;
    const place = subject.startsWith("Line ") ? column : `line ${before.length}, ${column}`;
    throw new HttpError("malformed_json", { message: `${subject} ${problem.what} (${place})` });
  }
  return JSON.parse(text) as unknown;
}
