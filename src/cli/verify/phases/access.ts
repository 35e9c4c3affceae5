import type { Operation } from "tenon/core/model";
import { makePredictable, makeValid, withKnownPath } from "../cases/index.js";
import { type Authentication, findCarrier, isSuccess, listShapes, type TestCase } from "../messages/index.js";
import type { Run, RunPhase } from "../run/run.js";
import { checkHead, checkMethods } from "./methods.js";

/** Calls without credentials, with invalid ones, with each omitted in turn; and with undeclared methods. */
export const runAccess: RunPhase = async (operation, run) => {
  const [shape] = listShapes(operation);
  if (shape === undefined) return;
  const [made] = makeValid(operation, shape, { phase: "access", count: 1 }, run);
  if (made === undefined) return;
  const testCase = withKnownPath(makePredictable({ ...made, expectation: "open" }, run.requests), 0, run);
  await checkCredentials(testCase, run);
  await checkMethods(testCase, run);
  await checkHead(testCase, run);
};

async function checkCredentials(testCase: TestCase, run: Run): Promise<void> {
  for (const { authentication, how } of listInsufficient(testCase.operation, run)) {
    const exchange = await run.test(testCase, authentication);
    if (exchange === undefined || !isSuccess(exchange.response.status)) continue;
    const message = `The response is ${exchange.response.status} ${how}`;
    run.report({ check: "auth", message, detail: how }, [exchange]);
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
    const isKnown = (left: readonly string[]) => left.every((name) => keys.has(name));
    return names.flatMap((scheme) => {
      const rest = names.filter((name) => name !== scheme);
      if (!isKnown(rest)) return [];
      const isEnough = security.some((one) => Object.keys(one).every((name) => rest.includes(name)));
      const wrong = {
        authentication: { kind: "wrong", scheme, requirement } as const,
        how: `with an invalid credential for ${scheme}`,
      };
      const without = {
        authentication: { kind: "without", scheme, requirement } as const,
        how: `without ${scheme}`,
      };
      return [wrong, ...(rest.length > 0 && !isEnough ? [without] : [])];
    });
  });
  return [{ authentication: { kind: "none" }, how: "without credentials" }, ...others];
}
