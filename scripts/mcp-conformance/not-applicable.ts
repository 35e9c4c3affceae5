import type { Check } from "./run.js";

/** Scenarios of the conformance tests that a service's tools cannot pass, by the reason. All others have to pass. */
const SCENARIOS: readonly (readonly [reason: string, scenarios: RegExp])[] = [
  ["There are no prompts: a contract has none", /^prompts-/],
  ["There are no resources: files are embedded in results", /^(?:resources-|sep-2164-resource-not-found$)/],
  ["There is no completion of arguments", /^completion-complete$/],
  [
    "There are no log messages to clients: the service has its own log",
    /^(?:logging-|tools-call-with-logging$)/,
  ],
  [
    "A tool asks the client nothing: the operation has all it needs in its arguments",
    /^(?:tools-call-(?:sampling|elicitation)|elicitation-|input-required-result-)/,
  ],
  ["A response of HTTP has one body, so a result has one kind of content", /^tools-call-mixed-content$/],
  ["Schemas have no references: the large clients do not take them", /^json-schema-2020-12$/],
  ["No argument has x-mcp-header: the headers of the operation are arguments", /^http-custom-header-server-/],
  ["There are no sessions, so no stream can be resumed", /^server-sse-(?:polling|multiple-streams)$/],
];

/** Checks within scenarios that otherwise pass. */
const CHECKS: readonly (readonly [reason: string, checks: RegExp])[] = [
  ["There are no prompts and resources to cache", /^sep-2549-(?:prompts|resources)-/],
  [
    "No tool needs a capability of the client, writes logs or streams requests",
    /^sep-2575-(?:server-rejects-undeclared-capability|missing-capability-http-400|http-server-no-independent-requests-on-stream|server-no-log-without-loglevel)$/,
  ],
  [
    "The list of tools is that of the contract, which does not change",
    /^sep-2575-server-sends-(?:tools|prompts)-list-/,
  ],
];

/**
 * Creates the function that finds out why a failure is none.
 * @param hasSamples Whether the service has the tools that the tests call by their names.
 */
export function createFilter(hasSamples: boolean) {
  return ({ scenario, id }: Check): string | undefined => {
    const find = (rows: typeof SCENARIOS, name: string) => rows.find(([, names]) => names.test(name))?.[0];
    const reason = find(SCENARIOS, scenario) ?? find(CHECKS, id);
    return (
      reason ??
      (!hasSamples && scenario.startsWith("tools-call-") ? "The tool is one of the samples" : undefined)
    );
  };
}

/** Lists the reasons of this file that no check needed. */
export function listUnused(used: ReadonlySet<string | undefined>): readonly string[] {
  return [...SCENARIOS, ...CHECKS].map(([reason]) => reason).filter((reason) => !used.has(reason));
}
