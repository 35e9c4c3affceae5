import { ADDITIONAL_METHODS, HTTP_METHODS } from "tenon/core/http";
import { type Operation, toIdentifier, UniqueNames } from "tenon/core/model";

/**
 * Names that a call cannot have: words that are reserved in modules, names that the compiler reserves there, members of every client, and
 * the names of the generated modules themselves. A module or client with the name `then` would be taken for a promise.
 */
const TAKEN: ReadonlySet<string> = new Set([
  ...["arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default"],
  ...[
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
  ],
  ...["implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package", "private"],
  ...["protected", "public", "return", "static", "super", "switch", "this", "throw", "true", "try", "typeof"],
  ...["var", "void", "while", "with", "yield"],
  ...["undefined", "globalThis", "exports", "require", "Object", "Promise"],
  ...[...HTTP_METHODS, ...ADDITIONAL_METHODS].map((method) => method.toUpperCase()),
  ...["then", "__proto__", "__esModule"],
  ...["Client", "createBareClient", "createClient", "defineCall", "definePagedCall", "operations"],
]);

/**
 * Names the calls of operations: the `operationId` as an identifier. A name that is taken gets a trailing `_`: `delete` becomes `delete_`.
 * @returns Names in the order of the operations.
 */
export function toCallNames(operations: readonly Pick<Operation, "id">[]): readonly string[] {
  const names = new UniqueNames(TAKEN);
  return operations.map(({ id }) => names.add(toIdentifier(id)));
}
