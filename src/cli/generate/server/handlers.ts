import type { Contract, Operation, SecurityRequirement } from "tenon/core/model";
import { describeSuccessor, lifecycleLines } from "../lifecycle-comment.js";
import type { Names } from "./names.js";
import { emitComment, emitKey, emitValue } from "../text.js";
import { atom, printDeclared, union } from "./type-text.js";

/** Emits `Principals`: one member for each security scheme that an operation names. */
export function emitPrincipals({
  operations,
  securitySchemes,
}: Pick<Contract, "operations" | "securitySchemes">): string {
  const deprecated = new Set(securitySchemes.flatMap((scheme) => (scheme.deprecated ? [scheme.name] : [])));
  const used = new Set(
    operations.flatMap(({ security }) => security.flatMap((requirement) => Object.keys(requirement))),
  );
  const members = [...used].map((name) => {
    const note = deprecated.has(name) ? emitComment(["Deprecated."], "  ") : "";
    return `${note}  readonly ${emitKey(name)}: unknown;\n`;
  });
  const comment = "The principal that each security scheme returns for a valid credential.";
  return `${emitComment([comment])}export interface Principals {${members.length > 0 ? "\n" : ""}${members.join("")}}\n`;
}

/** Emits `Handlers`: one function for each operation that is not a stub. */
export function emitHandlers(operations: readonly Operation[], names: Names): string {
  const stubs = operations.filter(({ stub }) => stub);
  const handled = operations.filter(({ stub }) => !stub);
  const comment = emitComment([
    "One function for each operation. A missing handler or an undeclared response is a compile error.",
    ...stubs.map(
      ({ id, method, path }) =>
        `${method.toUpperCase()} ${path} (${id}) declares 501 and no success response, so it has no handler: the runtime responds.`,
    ),
  ]);
  // The compiler refuses an unused type parameter, unless its name starts with an underscore.
  const context = handled.length > 0 ? "Context" : "_Context";
  const principals = handled.some(({ security }) => security.some(hasScheme)) ? "P" : "_P";
  const members = handled.map((operation) => emitHandler(operation, names));
  const body = members.length > 0 ? `{\n${members.join("\n")}}` : "{}";
  return `${comment}export interface Handlers<${context}, ${principals} extends Principals> ${body}\n`;
}

function emitHandler(operation: Operation, names: Names): string {
  const { id, method, path, summary, security, lifecycle, successor } = operation;
  const comment = emitComment(
    [
      `${method.toUpperCase()} ${path}${summary === undefined ? "" : ` · ${summary}`}`,
      `Security: ${security.map(describe).join(", or ") || "none"}`,
      // The tag `@deprecated` would mark the handler itself as deprecated in editors.
      ...lifecycleLines(lifecycle, "Deprecated.", describeSuccessor(successor)),
    ],
    "  ",
  );
  const reply = `Reply<${emitValue(id)}>`;
  return `${comment}  readonly ${emitKey(id)}: (
    request: ${names.request(operation)},
    reply: ${names.replies(operation)},
    context: Context & ${emitAuth(security)},
  ) => ${reply} | Promise<${reply}>;
`;
}

/**
 * Emits the type of `auth`. Alternatives are a union, schemes that must all pass are members of one object; `{}` (anonymous) and
 * no security are `undefined`.
 */
function emitAuth(security: readonly SecurityRequirement[]): string {
  const alternatives = security.map((requirement) => {
    const members = Object.keys(requirement).map(
      (name) => `readonly ${emitKey(name)}: P[${emitValue(name)}]`,
    );
    return atom(members.length === 0 ? "undefined" : `{ ${members.join("; ")} }`);
  });
  const auth = printDeclared(alternatives.length === 0 ? atom("undefined") : union(alternatives), "      ");
  return auth.startsWith("\n") ? `{\n      readonly auth:${auth};\n    }` : `{ readonly auth:${auth} }`;
}

function describe(requirement: SecurityRequirement): string {
  const schemes = Object.entries(requirement).map(([name, scopes]) =>
    scopes.length === 0 ? name : `${name} (${scopes.join(", ")})`,
  );
  return schemes.join(" and ") || "none";
}

function hasScheme(requirement: SecurityRequirement): boolean {
  return Object.keys(requirement).length > 0;
}
