import { writeParameters } from "tenon/client/internal";
import type { Contract, HttpMethod, MediaType, Operation } from "tenon/core/model";
import { isSuccess, type TestCase } from "../messages/index.js";
import type { Run } from "../run/run.js";
import type { Exchange } from "../checks/index.js";

const TESTED: readonly HttpMethod[] = ["get", "post", "put", "patch", "delete"];
/** A service may support these without a declaration. */
const IMPLIED = new Set(["HEAD", "OPTIONS", "TRACE"]);

/**
 * Undeclared methods must not succeed, and 405 has to name the declared ones (RFC 9110, section 15.5.6). A 404 instead is less
 * helpful, but valid.
 */
export async function checkMethods(testCase: TestCase, run: Run): Promise<void> {
  const { operation } = testCase;
  const first = run.contract.operations.find(({ path }) => path === operation.path);
  // Once for each path.
  if (first !== operation) return;
  const declared = findMethods(testCase, run.contract);
  for (const method of TESTED.filter((one) => !declared.has(one.toUpperCase()))) {
    const { path } = testCase.value;
    const exchange = await run.test(withMethod({ ...testCase, value: { ...(path && { path }) } }, method));
    if (exchange === undefined) continue;
    const { status, headers } = exchange.response;
    const report = (message: string, detail: string) => {
      run.report({ check: "method", message, detail }, [exchange]);
    };
    const name = `${method.toUpperCase()} ${operation.path}`;
    if (isSuccess(status)) report(`${name} is not declared, but succeeds with ${status}`, "succeeded");
    if (status !== 405) continue;
    const { allow } = headers;
    if (allow === undefined) {
      report(`${name} gets 405 without Allow`, "without Allow");
      continue;
    }
    const allowed = new Set(allow.split(",").map((one) => one.trim().toUpperCase()));
    const missing = [...declared].filter((one) => !allowed.has(one));
    const more = [...allowed].filter((one) => one !== "" && !declared.has(one) && !IMPLIED.has(one));
    if (missing.length > 0)
      report(`Allow is "${allow}" and lacks ${missing.join(", ")}`, `lacks ${missing.join()}`);
    if (more.length > 0)
      report(`Allow is "${allow}"; ${more.join(", ")} is not declared`, `has ${more.join()}`);
  }
}

/**
 * Makes the same request with a method that the contract does not declare, and so without a body. Any response but a failure is
 * allowed.
 */
function withMethod(testCase: TestCase, method: HttpMethod): TestCase {
  const { body, ...value } = testCase.value;
  const { pointer } = testCase.operation;
  const anything: MediaType = { pointer, name: "*/*", methodName: "", examples: [], encoding: [] };
  // Some services respond to an unknown method with 501.
  const responses = ["default", "501", "503"].map((status) => ({
    pointer,
    declaredAt: pointer,
    status,
    headers: [],
    mediaTypes: [anything],
    links: [],
  }));
  const operation: Operation = { ...testCase.operation, method, requestBody: undefined, responses };
  return {
    ...testCase,
    operation,
    value: body === undefined ? testCase.value : value,
    shape: { schema: testCase.shape.schema },
  };
}

/** Methods of every template that matches the path: `/pets/{petId}` also matches `/pets/mine`. */
function findMethods({ operation, value }: TestCase, { operations }: Contract): ReadonlySet<string> {
  const path = toPath(operation.path, value.path ?? {});
  const matching = operations.filter((one) => toPattern(one.path).test(path));
  return new Set(matching.map(({ method }) => method.toUpperCase()));
}

function toPath(template: string, path: Readonly<Record<string, unknown>>): string {
  try {
    return writeParameters(template, { path }, {}).path;
  } catch {
    return template;
  }
}

function toPattern(template: string): RegExp {
  const parts = template
    .split(/\{[^{}]*\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

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
