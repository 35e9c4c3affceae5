import type { EnforcedResponses } from "./enforced-contract.js";
import type { ReplyHeaders } from "./reply.js";
import type { CompileSchema } from "./schema-problem.js";

/** Problems of the headers of one reply; empty when they are as declared. */
export type HeaderCheck = (headers: ReplyHeaders) => readonly string[];

/**
 * Compiles the header declarations of an operation's responses, which express-openapi-validator leaves alone.
 * @param responses By status code, range or `default`.
 * @returns checks by the same; none where no header is declared.
 */
export function compileResponseHeaders(
  compile: CompileSchema,
  responses: EnforcedResponses,
): ReadonlyMap<string, HeaderCheck> {
  const checks = new Map<string, HeaderCheck>();
  for (const [key, { headers }] of responses) {
    if (headers.size === 0) continue;
    const validate = compile({
      type: "object",
      properties: Object.fromEntries([...headers].map(([name, { schema }]) => [name, schema])),
      required: [...headers].flatMap(([name, { required }]) => (required ? [name] : [])),
    });
    checks.set(key, (sent) => {
      if (validate(Object.fromEntries(present(sent))) === true) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) =>
        ["header", instancePath.slice(1), message ?? "is invalid"].filter((word) => word !== "").join(" "),
      );
    });
  }
  return checks;
}

function present(headers: ReplyHeaders): [string, unknown][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as [string, unknown]],
  );
}
