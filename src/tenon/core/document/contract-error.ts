import type { Problem } from "./problem.js";

/** Every code of an error that Tenon itself raises about a contract. Lint problems carry their rule's id instead. */
export const CONTRACT_ERRORS = {
  "api-diff":
    "An `x-tenon.diff` of redocly.yaml has a level that there is not, or ignores changes without a reason.",
  "api-handlers":
    "An `x-tenon.handlers` of redocly.yaml is no folder below redocly.yaml, or two APIs share one.",
  "api-main": "An `x-tenon.main` of redocly.yaml is no file below redocly.yaml.",
  "api-output":
    "An `x-tenon.output` of redocly.yaml is no folder below redocly.yaml, or is shared, within another or the contract's.",
  "api-module": "An `x-tenon.module` of redocly.yaml is neither `esm` nor `commonjs`.",
  "api-split": "An `x-tenon.split` of redocly.yaml is neither true nor false.",
  "base-path": "A server's URL cannot be read.",
  "component-renamed": "Two files declare different components under one name; bundling renames the second.",
  "config-invalid":
    "A plugin or preset that redocly.yaml names cannot be loaded, or a value in it is none that Redocly takes.",
  "config-missing": "There is no redocly.yaml, or it names no API with `x-tenon.output`.",
  "config-unknown": "A key, rule or option of redocly.yaml is none that anybody reads.",
  "date-invalid":
    "`x-deprecated-since` or `x-sunset` is not a date, or the sunset comes before the deprecation.",
  "document-syntax": "A file is not valid YAML or JSON.",
  "document-unreadable": "A file cannot be read.",
  "document-version": "A document is not OpenAPI 3.0 or 3.1.",
  "lint-failed": "Redocly, or a rule or decorator that redocly.yaml names, threw an error.",
  "media-type-unsupported":
    "A parameter, request body or response has a media type or charset that cannot be read or written.",
  "operation-id-duplicate": "Two operations have the same operationId.",
  "parameter-style": "A parameter or form field has a style that there is not where it stands.",
  "path-duplicate": "Two operations have the same method, and path templates that match the same paths.",
  "reference-unresolved": "A `$ref` leads nowhere, or back to itself.",
  "replaced-by-unknown": "`x-replaced-by` is no name, or not the operationId of an operation.",
  "rule-required": "redocly.yaml turns off a rule that is always on, or makes it a warning.",
  "schema-circular": "A schema consists of itself, with no object or array in between.",
  "schema-unsupported": "A schema uses a keyword that types cannot follow, such as `$dynamicRef`.",
  "security-scheme-unknown": "A security requirement names a scheme that components do not declare.",
} as const;

/** Every code of a warning: the contract is valid and is generated whole, but its author should know what was decided. */
export const CONTRACT_WARNINGS = {
  "base-path-other": "The servers do not agree on one base path: the first server's is served.",
  "client-types": "The client's types cannot say a part of the contract, and say something wider.",
  "form-whole": "A form's schema is no object: its body is read as a whole, as text or bytes.",
  "header-name":
    "A header parameter or API key has a name that HTTP does not allow, so that nobody can send it.",
  "module-open":
    "Generated files are ES modules, and package.json lets Node take them for CommonJS: `x-tenon.module` says which it is.",
  "name-changed":
    "Two names of the contract become the same TypeScript name: the second gets a trailing `_`.",
  "parameter-json":
    "A parameter or form field has a style that cannot write its type, or no way to tell it: it is read as JSON.",
  "parameter-text": "A parameter has `content` that is not JSON: it is read as a string.",
  "servers-ignored":
    "A path item or operation has servers with another base path; it is served with the rest.",
} as const;

export type ContractProblemCode = keyof typeof CONTRACT_ERRORS | keyof typeof CONTRACT_WARNINGS;

export function severityOf(code: ContractProblemCode): Problem["severity"] {
  return code in CONTRACT_WARNINGS ? "warning" : "error";
}

/** Thrown once, with every problem that was found, when at least one of them is an error. */
export class ContractError extends Error {
  override readonly name = "ContractError";

  /** @param options With what was thrown in the first place, where that was no problem yet. */
  constructor(
    readonly problems: readonly Problem[],
    options?: ErrorOptions,
  ) {
    const [first] = problems;
    super(
      `The contract has ${problems.length} problem(s), first: ${first?.code ?? ""} ${first?.message ?? ""}`,
      options,
    );
  }
}
