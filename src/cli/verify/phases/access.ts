import { writeParameters } from "tenon/client/internal";
import type { HttpMethod } from "tenon/core/http";
import type { Contract, MediaType, Operation } from "tenon/core/model";
import { makePredictable, makeValid, withKnownPath } from "../cases/index.js";
import type { Exchange } from "../checks/index.js";
import { type Authentication, findCarrier, isSuccess, listShapes, type TestCase } from "../messages/index.js";
import type { Run, RunPhase } from "../run/run.js";
import { checkRanges } from "./ranges.js";

/** Calls without credentials, with invalid ones, with each omitted in turn; with undeclared methods; and for ranges of bytes. */
export const runAccess: RunPhase = async (operation, run) => {
  const [shape] = listShapes(operation);
  if (shape === undefined) return;
  const [made] = makeValid(operation, shape, { phase: "access", count: 1 }, run);
  if (made === undefined) return;
  const testCase = withKnownPath(makePredictable({ ...made, expectation: "open" }, run.requests), 0, run);
  await checkCredentials(testCase, run);
  await checkMethods(testCase, run);
  await checkHead(testCase, run);
  await checkRanges(testCase, run);
};

async function checkCredentials(testCase: TestCase, run: Run): Promise<void> {
  for (const { authentication, how } of listInsufficient(testCase.operation, run)) {
    const exchange = await run.test(testCase, authentication);
    if (exchange === undefined || !isSuccess(exchange.response.status)) continue;
    const message = `The response is ${exchange.response.status} ${how}`;
    run.report({ check: "auth", message, detail: how, shared: true }, [exchange]);
    // An invalid credential is then accepted for the same reason.
    if (authentication.kind === "none") return;
  }
}

/** Lists credentials that an operation has to refuse; none for a public operation. */
function listInsufficient(
  { security }: Operation,
  { credentials: { keys }, contract }: Run,
): readonly { readonly authentication: Authentication; readonly how: string }[] {
  if (security.length === 0 || security.some((one) => Object.keys(one).length === 0)) return [];
  const others = security.flatMap((requirement) => {
    const names = Object.keys(requirement);
    if (names.some((name) => findCarrier(contract, name) === undefined)) return [];
    return names.flatMap((scheme) => {
      const rest = names.filter((name) => name !== scheme);
      if (!rest.every((name) => keys.has(name))) return [];
      const isEnough = security.some((one) => Object.keys(one).every((name) => rest.includes(name)));
      const kinds = rest.length > 0 && !isEnough ? (["wrong", "without"] as const) : (["wrong"] as const);
      return kinds.map((kind) => ({
        authentication: { kind, scheme, requirement },
        how: `${kind === "wrong" ? "with an invalid credential for" : "without"} ${scheme}`,
      }));
    });
  });
  return [{ authentication: { kind: "none" }, how: "without credentials" }, ...others];
}

const TESTED: readonly HttpMethod[] = ["get", "post", "put", "patch", "delete"];
/** A service may support these without a declaration. */
const IMPLIED = new Set(["HEAD", "OPTIONS", "TRACE"]);

/**
 * Undeclared methods must not succeed, and 405 has to name the declared ones (RFC 9110, section 15.5.6). A 404 instead is less
 * helpful, but valid.
 */
async function checkMethods(testCase: TestCase, run: Run): Promise<void> {
  const { operation } = testCase;
  const first = run.contract.operations.find(({ path }) => path === operation.path);
  // Once for each path.
  if (first !== operation) return;
  const declared = findMethods(testCase, run.contract);
  const { path } = testCase.value;
  for (const method of TESTED.filter((one) => !declared.has(one.toUpperCase()))) {
    const exchange = await run.test(withMethod({ ...testCase, value: { ...(path && { path }) } }, method));
    if (exchange === undefined) continue;
    const { status, headers } = exchange.response;
    const name = `${method.toUpperCase()} ${operation.path}`;
    const report = (message: string, detail: string) => {
      run.report({ check: "method", message, detail, place: name, shared: true }, [exchange]);
    };
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
  const { pointer } = testCase.operation;
  const anything: MediaType = {
    ...{ pointer, name: "*/*", methodName: "" },
    ...{ examples: [], externalExamples: [], encoding: [] },
  };
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
  const value = Object.fromEntries(Object.entries(testCase.value).filter(([part]) => part !== "body"));
  return { ...testCase, operation, value, shape: { schema: testCase.shape.schema } };
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
async function checkHead(testCase: TestCase, run: Run): Promise<void> {
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
