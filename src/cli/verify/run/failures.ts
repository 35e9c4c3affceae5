import { type Operation, toOperationLabel } from "tenon/core/model";
import type { Finding } from "../checks/index.js";
import {
  type Credentials,
  type ServiceResponse,
  type TestCase,
  toBodyText,
  toVariable,
} from "../messages/index.js";
import type { Failure } from "../result.js";

/** How a finding is reproduced. */
interface ShownRun {
  readonly testCase: TestCase;
  readonly curl: readonly string[];
  readonly response: ServiceResponse | undefined;
}

/** A failure with its finding. */
interface Kept {
  readonly finding: Finding;
  readonly operations: Set<string>;
  readonly places: Set<string>;
  count: number;
  shown: Omit<Failure, "operations" | "places" | "count">;
}

/** Characters of a body that are shown. */
const SHOWN_BODY = 300;

/**
 * Collects the findings of a run. Findings with the same cause are one failure.
 * @param credentials Replaced by placeholders in what is shown.
 */
export function createFailures(credentials: Credentials) {
  const redact = createRedact(credentials);
  const found = new Map<string, Kept>();
  /** Constraints that the service does not enforce. */
  const unenforced = new Set<string>();

  const toShown = (finding: Finding, { testCase, curl, response }: ShownRun): Kept["shown"] => {
    const contentType = response?.headers["content-type"];
    return {
      check: finding.check,
      message: redact(finding.message),
      phase: testCase.phase,
      label: toOperationLabel(testCase.operation),
      curl: curl.map(redact),
      ...(response && {
        answer: {
          status: response.status,
          ...(contentType !== undefined && { contentType }),
          body: redact(toBodyText(response)).slice(0, SHOWN_BODY),
        },
      }),
    };
  };

  const isVague = ({ finding, operations }: Kept): boolean =>
    finding.vague === true &&
    [...found.values()].some(
      (other) =>
        other.finding.check === finding.check &&
        other.finding.vague !== true &&
        [...operations].some((id) => other.operations.has(id)),
    );
  const isConsequence = ({ finding: { consequenceOf = [] } }: Kept): boolean =>
    consequenceOf.some((one) => unenforced.has(one));

  const list = (): readonly Failure[] =>
    [...found.values()]
      .filter((kept) => !isVague(kept) && !isConsequence(kept))
      .map(({ shown, operations, places, count }) => ({
        ...shown,
        operations: [...operations],
        places: [...places],
        count,
      }));

  return {
    /** Counts a finding. @returns true for the first of its cause, which `keep` needs an example for. */
    add(finding: Finding, { operation }: TestCase): boolean {
      const key = toFindingKey(finding, operation);
      const known = found.get(key);
      const { id } = operation;
      if (finding.unenforced !== undefined) unenforced.add(finding.unenforced);
      if (known === undefined) return true;
      known.operations.add(id);
      known.places.add(toPlace(finding, id));
      known.count += 1;
      return false;
    },
    /** Keeps the example of a finding, in place of an earlier one. */
    keep(finding: Finding, run: ShownRun): void {
      const { operation } = run.testCase;
      const key = toFindingKey(finding, operation);
      const known = found.get(key);
      const shown = toShown(finding, run);
      if (known) known.shown = shown;
      else {
        const places = new Set([toPlace(finding, operation.id)]);
        found.set(key, { finding, shown, operations: new Set([operation.id]), places, count: 1 });
      }
    },
    list,
  };
}

/** `createPet body/name` */
function toPlace({ place }: Finding, id: string): string {
  return place === undefined ? id : `${id} ${place}`;
}

/** The key of a finding; equal for findings that are reported as one. */
export function toFindingKey({ check, detail, shared }: Finding, { id }: Operation): string {
  return shared ? `${check} ${detail}` : `${check} ${id} ${detail}`;
}

/** Minimum length of a secret to redact: shorter ones occur in texts by chance. */
const LEAST = 4;

/** Creates a function that replaces credentials in a text: a response may repeat its request. */
function createRedact({ keys, headers }: Credentials): (text: string) => string {
  const secrets = [...keys, ...headers].flatMap(([name, secret]) =>
    // The parts are the name and password of basic authentication, and what follows the scheme of a header.
    [
      secret,
      ...secret.split(/[:\s]/),
      Buffer.from(secret).toString("base64"),
      encodeURIComponent(secret),
    ].map((form) => [form, `$${toVariable(name)}`] as const),
  );
  const isSecret = (form: string) => form.length >= LEAST && !/^(?:basic|bearer)$/i.test(form);
  const forms = secrets.filter(([form]) => isSecret(form)).sort(([a], [b]) => b.length - a.length);
  return (text) => forms.reduce((redacted, [form, shown]) => redacted.replaceAll(form, () => shown), text);
}
