import { isSuccess } from "../checks/check.js";
import { probeHead } from "../checks/head.js";
import { probeMethods } from "../checks/methods.js";
import { makeValid, withKnownPath } from "../drafts.js";
import type { Draft } from "../draft.js";
import { vouch } from "../generate/vouched.js";
import type { Proof } from "../http/credentials.js";
import type { TargetOperation } from "../target.js";
import type { Trial } from "../trial.js";
import type { PhaseRun } from "./phase.js";

/** Who may call what: without credentials, with wrong ones, with each left out in turn; and other methods than those declared. */
export const runAccess: PhaseRun = async (operation, trial) => {
  const [shape] = operation.shapes;
  if (shape === undefined) return;
  const [made] = makeValid(operation, shape, { phase: "access", count: 1 }, trial);
  if (made === undefined) return;
  const draft = withKnownPath(
    vouch({ ...made, expectation: "open" }, trial.target, trial.requests),
    0,
    trial,
  );
  await probeCredentials(draft, trial);
  await probeMethods(draft, trial);
  await probeHead(draft, trial);
};

async function probeCredentials(draft: Draft, trial: Trial): Promise<void> {
  for (const { proof, how } of findProofs(draft.operation, trial)) {
    const exchange = await trial.try(draft, proof);
    if (exchange === undefined || !isSuccess(exchange.answer.status)) continue;
    const message = `The answer is ${exchange.answer.status} ${how}`;
    trial.tell({ check: "auth", message, detail: how }, [exchange]);
  }
}

/** @returns nothing for an operation that anybody may call. */
function findProofs(
  { security }: TargetOperation,
  { credentials: { keys }, target: { schemes } }: Trial,
): readonly { readonly proof: Proof; readonly how: string }[] {
  if (security.length === 0 || security.some((one) => Object.keys(one).length === 0)) return [];
  const others = security.flatMap((requirement) => {
    const names = Object.keys(requirement);
    // What cannot be sent cannot be sent wrongly.
    if (names.some((name) => (schemes.get(name)?.kind ?? "other") === "other")) return [];
    const isKnown = (left: readonly string[]) => left.every((name) => keys.has(name));
    return names.flatMap((scheme) => {
      const rest = names.filter((name) => name !== scheme);
      if (!isKnown(rest)) return [];
      const isEnough = security.some((one) => Object.keys(one).every((name) => rest.includes(name)));
      const wrong = {
        proof: { kind: "wrong", scheme, requirement } as const,
        how: `to a wrong credential for ${scheme}`,
      };
      const without = { proof: { kind: "without", scheme, requirement } as const, how: `without ${scheme}` };
      return [wrong, ...(rest.length > 0 && !isEnough ? [without] : [])];
    });
  });
  return [{ proof: { kind: "none" }, how: "without credentials" }, ...others];
}
