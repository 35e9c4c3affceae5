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

/** Characters of a body that are shown. */
const SHOWN_BODY = 300;

/**
 * Collects the findings of a run, each reported once.
 * @param credentials Replaced by placeholders in what is shown.
 */
export function createFailures(credentials: Credentials) {
  const redact = createRedact(credentials);
  const found = new Map<string, Failure>();
  const vague = new Set<string>();
  const has = ({ check, operations }: Failure, finding: Finding, { id }: Operation) =>
    check === finding.check && operations.includes(id);

  return {
    /** Tests whether a finding is already reported. If operations share it, this operation is added to the report. */
    isKnown(finding: Finding, operation: Operation): boolean {
      if (finding.vague && [...found.values()].some((failure) => has(failure, finding, operation)))
        return true;
      const key = toFindingKey(finding, operation);
      const known = found.get(key);
      if (known !== undefined && !known.operations.includes(operation.id))
        found.set(key, { ...known, operations: [...known.operations, operation.id] });
      return known !== undefined;
    },
    /** Adds a finding, or replaces the same one. */
    keep(finding: Finding, { testCase: { operation, phase }, curl, response }: ShownRun): void {
      const key = toFindingKey(finding, operation);
      if (finding.vague) vague.add(key);
      else
        for (const [other, failure] of found)
          if (has(failure, finding, operation) && vague.delete(other)) found.delete(other);
      const contentType = response?.headers["content-type"];
      found.set(key, {
        check: finding.check,
        message: redact(finding.message),
        phase,
        operations: [operation.id],
        label: toOperationLabel(operation),
        curl: curl.map(redact),
        ...(response && {
          answer: {
            status: response.status,
            ...(contentType !== undefined && { contentType }),
            body: redact(toBodyText(response)).slice(0, SHOWN_BODY),
          },
        }),
      });
    },
    list: (): readonly Failure[] => [...found.values()],
  };
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
