import type { TestCase } from "../messages/index.js";
import type { Exchange } from "../checks/index.js";
import type { Run } from "../run/index.js";
import { withMethod } from "./methods.js";

/** Statuses of a service without HEAD, which the contract does not require. */
const ABSENT = new Set([404, 405, 501]);

/**
 * HEAD has the status and headers of GET (RFC 9110, section 9.3.2). GET is sent before and after, so that a change in between
 * is not a finding.
 */
export async function checkHead(testCase: TestCase, run: Run): Promise<void> {
  const { operation } = testCase;
  if (operation.method !== "get") return;
  if (run.contract.operations.some(({ method, path }) => method === "head" && path === operation.path))
    return;
  const before = await run.test(testCase);
  const head = await run.test(withMethod(testCase, "head"));
  const after = await run.test(testCase);
  if (before === undefined || head === undefined || after === undefined) return;
  if (before.response.status !== after.response.status) return;
  if (head.response.status !== before.response.status && ABSENT.has(head.response.status)) return;
  const report = (message: string, detail: string) => {
    run.report({ check: "head", message, detail, shared: true }, [before, head]);
  };
  const compare = (
    name: string,
    read: (exchange: Exchange) => string | number | undefined,
    own = read(head),
  ) => {
    const [get, again] = [read(before), read(after)];
    if (get !== again || own === get) return;
    report(`${name} of HEAD is ${own ?? "absent"}, that of GET is ${get ?? "absent"}`, name);
  };
  compare("The status", ({ response }) => response.status);
  if (head.response.status !== before.response.status) return;
  compare("Content-Type", ({ response }) => response.headers["content-type"]);
  // It may be omitted (RFC 9110, section 8.6).
  const length = head.response.headers["content-length"];
  if (length !== undefined) compare("Content-Length", ({ response }) => response.body.length, Number(length));
}
