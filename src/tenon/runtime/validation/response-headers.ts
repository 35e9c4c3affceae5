import type { EnforcedResponses } from "./enforced-contract.js";
import type { CompileCheck } from "./eov.js";
import type { ReplyHeaders } from "../response/reply.js";

/** Problems of the headers of one reply; empty when they are as declared. */
export type HeaderCheck = (headers: ReplyHeaders) => readonly string[];

/**
 * Compiles the header declarations of an operation's responses, which express-openapi-validator leaves alone.
 * @param responses By status code, range or `default`.
 * @returns checks by the same; none where no header is declared.
 */
export function compileResponseHeaders(
  compile: CompileCheck,
  responses: EnforcedResponses,
): ReadonlyMap<string, HeaderCheck> {
  const checks = new Map<string, HeaderCheck>();
  for (const [key, { headers }] of responses) {
    if (headers.size === 0) continue;
    const check = compile({
      type: "object",
      properties: Object.fromEntries([...headers].map(([name, { schema }]) => [name, schema])),
      required: [...headers].flatMap(([name, { required }]) => (required ? [name] : [])),
    });
    checks.set(key, (sent) =>
      check(Object.fromEntries(present(sent))).map(({ path, text }) => `header ${path.join("/")} ${text}`),
    );
  }
  return checks;
}

function present(headers: ReplyHeaders): [string, unknown][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as [string, unknown]],
  );
}
