import { createConfig, getLineColLocation, lintFromString } from "@redocly/openapi-core";
import createPlugin from "../../../src/cli/lint/index.js";

export interface ProblemsOfOptions {
  /** Name as in `redocly.yaml`: `tenon/error-body`, or a built-in rule's. */
  readonly rule: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Lints the document with one rule. Each problem reads `line:column severity message`. */
export async function problemsOf(source: string, { rule, options }: ProblemsOfOptions): Promise<string[]> {
  const config = await createConfig({
    plugins: [createPlugin()],
    rules: { [rule]: { severity: "warn", ...options } },
  });
  const problems = await lintFromString({ source, config });
  return problems.map(({ location: [location], message, severity }) => {
    if (location === undefined) return `- ${severity} ${message}`;
    const { line, col } = getLineColLocation(location).start;
    return `${line}:${col} ${severity} ${message}`;
  });
}
