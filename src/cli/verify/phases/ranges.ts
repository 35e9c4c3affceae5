import type { Operation } from "tenon/core/model";
import type { Exchange } from "../checks/index.js";
import { getHeader, type TestCase } from "../messages/index.js";
import type { Run } from "../run/run.js";

/** Tests whether an operation says that clients can ask for a range of its bytes. */
export function declaresRanges({ method, responses }: Operation): boolean {
  const isRange = ({ status, headers }: Operation["responses"][number]) =>
    status === "206" || status === "416" || headers.some(({ name }) => /^accept-ranges$/i.test(name));
  return method === "get" && responses.some(isRange);
}

/** A range that is asked for. */
interface Asked {
  /** `bytes=0-0` */
  readonly range: string;
  readonly ifRange?: string;
  /**
   * The positions of the bytes that a 206 has, from 0. `all`: 206 is not allowed, the response is the whole. `none`: the range has no
   * bytes, so that the response is 416, or the whole.
   */
  readonly bytes: readonly [start: number, end: number] | "all" | "none";
}

/**
 * Asks for ranges of bytes, and compares them with the whole (RFC 9110, section 14). A service may ignore single ranges, but not all
 * of them if the contract declares 206. The whole is read before and after, so that a change in between is not a finding.
 */
export async function checkRanges(testCase: TestCase, run: Run): Promise<void> {
  if (!declaresRanges(testCase.operation)) return;
  const ask = (headers: Readonly<Record<string, string>>) => run.test(withHeaders(testCase, headers));
  const before = await ask({});
  if (before?.response.status !== 200 || before.response.body.length < 3) return;
  const asked: (readonly [Asked, Exchange])[] = [];
  for (const one of listAsked(before)) {
    const exchange = await ask({
      Range: one.range,
      ...(one.ifRange !== undefined && { "If-Range": one.ifRange }),
    });
    if (exchange !== undefined) asked.push([one, exchange]);
  }
  const after = await ask({});
  if (after?.response.status !== 200 || !isSame(before, after)) return;
  let hasProblem = false;
  for (const [one, exchange] of asked) {
    const problem = findProblem(one, exchange, before);
    if (problem === undefined) continue;
    hasProblem = true;
    const { range, ifRange } = one;
    const request = `${range}${ifRange === undefined ? "" : ` with If-Range ${ifRange}`}`;
    const message = `The response to the range ${request} ${problem.message}`;
    run.report({ check: "ranges", message, detail: problem.detail, shared: true }, [before, exchange]);
  }
  const [first] = asked;
  const isDeclared = testCase.operation.responses.some(({ status }) => status === "206");
  if (
    first === undefined ||
    hasProblem ||
    !isDeclared ||
    asked.some(([, { response }]) => response.status === 206)
  )
    return;
  const message = "Ranges are ignored: the contract declares 206, and every response is the whole";
  run.report({ check: "ranges", message, detail: "ignored", shared: true }, [before, first[1]]);
}

/** Replaces the headers of a range that the contract declares as parameters, and may have any value. */
function withHeaders(testCase: TestCase, headers: Readonly<Record<string, string>>): TestCase {
  const { header = {} } = testCase.value;
  const others = Object.entries(header).filter(([name]) => !/^(?:if-)?range$/i.test(name));
  return { ...testCase, value: { ...testCase.value, header: { ...Object.fromEntries(others), ...headers } } };
}

function listAsked(whole: Exchange): readonly Asked[] {
  const { length } = whole.response.body;
  const last = length - 1;
  const tag = getHeader(whole.response, "etag");
  const date = getHeader(whole.response, "last-modified");
  const validator = tag?.startsWith('"') === true ? tag : date;
  return [
    { range: "bytes=0-0", bytes: [0, 0] },
    { range: "bytes=1-1", bytes: [1, 1] },
    { range: "bytes=1-", bytes: [1, last] },
    { range: "bytes=-1", bytes: [last, last] },
    { range: `bytes=1-${length + 1_000}`, bytes: [1, last] },
    { range: `bytes=-${length + 1_000}`, bytes: [0, last] },
    { range: `bytes=${length}-`, bytes: "none" },
    { range: "bytes=2-1", bytes: "none" },
    { range: "tenons=0-0", bytes: "all" },
    ...(validator === undefined ? [] : [{ range: "bytes=1-1", ifRange: validator, bytes: [1, 1] } as const]),
    { range: "bytes=1-1", ifRange: '"outdated"', bytes: "all" },
    { range: "bytes=1-1", ifRange: "Thu, 01 Jan 1970 00:00:00 GMT", bytes: "all" },
  ];
}

interface Problem {
  /** Completes `The response to the range …`. */
  readonly message: string;
  readonly detail: string;
}

function findProblem(
  { range, bytes, ifRange }: Asked,
  exchange: Exchange,
  whole: Exchange,
): Problem | undefined {
  const { status, body } = exchange.response;
  const { length } = whole.response.body;
  const contentRange = getHeader(exchange.response, "content-range");
  const given = contentRange ?? "absent";
  if (status === 200) {
    if (isSame(exchange, whole)) return undefined;
    return { message: `is 200, and its ${body.length} bytes are not the whole`, detail: "200 with a part" };
  }
  if (status === 416) {
    if (bytes !== "none") return { message: `is 416; the whole has ${length} bytes`, detail: "416" };
    // An invalid range is not one that the whole is too short for.
    if (!range.startsWith(`bytes=${length}`) || contentRange === `bytes */${length}`) return undefined;
    return {
      message: `is 416 with the Content-Range ${given}; expected bytes */${length}`,
      detail: "Content-Range of 416",
    };
  }
  if (status !== 206) {
    // A service may refuse an invalid range.
    if (bytes === "none" && status === 400) return undefined;
    return { message: `is ${status}; expected 206 or the whole`, detail: `status ${status}` };
  }
  if (bytes === "none") return { message: "is 206; there are no bytes in it", detail: "206 without bytes" };
  if (bytes === "all") {
    if (ifRange === undefined)
      return { message: "is 206; an unknown unit has to be ignored", detail: "unknown unit" };
    return { message: "is 206; the bytes are not those that If-Range names", detail: "outdated If-Range" };
  }
  const [start, end] = bytes;
  const expected = `bytes ${start}-${end}/${length}`;
  if (contentRange !== expected && contentRange !== expected.replace(/\d+$/, "*"))
    return { message: `has the Content-Range ${given}; expected ${expected}`, detail: "Content-Range" };
  if (Buffer.from(body).equals(Buffer.from(whole.response.body).subarray(start, end + 1))) return undefined;
  const message = `has ${body.length} bytes that are not the bytes ${start} to ${end} of the whole`;
  return { message, detail: "bytes" };
}

function isSame(one: Exchange, other: Exchange): boolean {
  return Buffer.from(one.response.body).equals(Buffer.from(other.response.body));
}
