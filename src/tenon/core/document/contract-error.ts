/** Every code of an error that Tenon itself reports about a contract. Lint problems have their rule's id instead. */
export const CONTRACT_ERRORS = {
  "api-codecs": "`x-tenon.codecs` must have types by format, and needs `generate: [schemas]`.",
  "api-diff": "`x-tenon.diff` contains an unknown level, or ignores changes without a reason.",
  "api-docs":
    "A member of `x-tenon.docs` is not what it must be, leads outside the project, or has a colour with too little contrast.",
  "api-generate": "`x-tenon.generate` must be a list of the files that can be generated on request.",
  "api-group-by-tag": "`x-tenon.groupByTag` must be true or false.",
  "api-handlers": "`x-tenon.handlers` must be a folder inside the project, one per API.",
  "api-import-extension": "`x-tenon.importExtension` must be `js` or `ts`.",
  "api-lenient": "`x-tenon.lenient` must be true or false.",
  "api-main": "`x-tenon.main` must be a file inside the project.",
  "api-output":
    "`x-tenon.output` must be a folder inside the project, one per API, outside other output folders and the contract's folder.",
  "api-module": "`x-tenon.module` must be `esm` or `commonjs`.",
  "api-overlays": "`x-tenon.overlays` must be a list of files inside the project.",
  "api-reference-hosts": "`x-tenon.referenceHosts` must be a list of hosts.",
  "api-split": "`x-tenon.split` must be true or false.",
  "base-path": "The URL of a server is invalid.",
  "component-renamed":
    "Two files declare different components with the same name; bundling renames the second.",
  "config-invalid":
    "redocly.yaml names a plugin or preset that cannot be loaded, or contains a value that Redocly does not accept.",
  "config-missing": "redocly.yaml is missing, or no API in it has `x-tenon.output`.",
  "config-unknown": "redocly.yaml contains an unknown key, rule or option.",
  "date-invalid":
    "`x-deprecated-since` or `x-sunset` is not a date, or the sunset date is before the deprecation.",
  "document-syntax": "A file is not valid YAML or JSON.",
  "document-unreadable": "A file cannot be read.",
  "document-version": "The document must be OpenAPI 3.0, 3.1 or 3.2.",
  "expansion-limit":
    "YAML aliases, references or overlays repeat parts of the contract too often or lead through too many levels, an object has too many members, or a JSONPath takes too many steps.",
  "guide-link": "A link or picture of a guide leads to nothing.",
  "lint-failed": "Redocly, or a rule or decorator in redocly.yaml, threw an error.",
  "media-type-unsupported":
    "A parameter, request body or response has an invalid media type or an unsupported charset.",
  "method-unsupported": "`additionalOperations` contains a method that cannot be served.",
  "operation-id-duplicate": "Two operations have the same operationId.",
  "overlay-invalid":
    "An overlay is not valid, or one of its actions cannot be applied: its JSONPath is invalid, or its value does not fit the target.",
  "parameter-style": "`style` is not allowed at this location.",
  "path-duplicate": "Two operations have the same method and path templates that match the same paths.",
  "querystring-invalid":
    "A parameter `in: querystring` has no `content`, or the operation has another parameter in the query.",
  "reference-forbidden":
    "A `$ref` leads outside the project folder, or to a host that `x-tenon.referenceHosts` does not contain.",
  "reference-unresolved": "The target of a `$ref` does not exist, or the `$ref` refers to itself.",
  "replaced-by-unknown":
    "`x-replaced-by` must be the operationId or URL of an operation, or the name of another parameter, header or property.",
  "rule-required": "redocly.yaml turns off a required rule, or makes it a warning.",
  "schema-circular": "A schema refers to itself without an object or array in between.",
  "schema-unsupported": "A schema uses an unsupported keyword, such as `$recursiveRef`.",
  "security-scheme-unknown": "A security requirement names an undeclared security scheme.",
  "self-invalid": "`$self` is not a URI reference, or has a fragment.",
} as const;

/** Every code of a warning: the contract is valid and all code is generated, but its author should check the result. */
export const CONTRACT_WARNINGS = {
  "client-types":
    "Part of the contract cannot be expressed as a TypeScript type; the client uses a wider one.",
  "default-ignored": "A `default` is not valid for its schema; the generated code does not apply it.",
  "encoding-unsupported":
    "The parts of a multipart body are not read as described: positions without a list, or parts in a named part.",
  "example-ignored": "An example only has a serialized value, which is not parsed; add its `dataValue`.",
  "form-whole": "The schema of a form is not an object; the body is text or bytes as a whole.",
  "header-name": "A header parameter or API key has a name that HTTP does not allow; no client can send it.",
  "mapping-ignored":
    "A `mapping` leads to a schema that does not exist, or a `defaultMapping` to no alternative; it is ignored.",
  "module-open":
    "Generated files are ES modules, but package.json makes them CommonJS for Node.js; set `x-tenon.module`.",
  "name-changed":
    "Two names in the contract become the same TypeScript name; the second gets a trailing `_`.",
  "overlay-extends": "An overlay's `extends` names another document than the one that it is applied to.",
  "overlay-unmatched": "The `target` of an overlay's action selects nothing; the action changes nothing.",
  "parameter-json":
    "The style of a parameter or form field cannot represent its type; objects and arrays in it are parsed as JSON.",
  "parameter-text": "A parameter has `content` that is not JSON; the value is a string.",
  "part-left-out":
    "An operation, path item, webhook or component has an error and is left out, because `x-tenon.lenient` is true.",
  "schema-ignored":
    "A media type of items has a `schema` of its whole content, which is not applied; describe its items.",
  "server-variable":
    "A variable in the path of a server has no `enum`, or too many values; not all base paths are mounted.",
} as const;

export type ContractProblemCode = keyof typeof CONTRACT_ERRORS | keyof typeof CONTRACT_WARNINGS;

export function severityOf(code: ContractProblemCode): Problem["severity"] {
  return code in CONTRACT_WARNINGS ? "warning" : "error";
}

/** All problems of a contract, at least one of which is an error. Thrown once. */
export class ContractError extends Error {
  override readonly name = "ContractError";

  /** @param options `cause`: the original error, if the problems come from one. */
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

/** A problem of a contract, with its location. Plain data for the command, editors and tests. */
export interface Problem extends SourcePosition {
  /** A key of Tenon's own table (`src/tenon/core/document/contract-error.ts`), or the id of the lint rule that found it. Stable. */
  readonly code: string;
  readonly severity: "error" | "warning";
  /** One sentence: what is wrong, what was expected and what was found. */
  readonly message: string;
  /** The next step, if known. */
  readonly hint?: string | undefined;
  /** The change that fixes it, if there is exactly one obvious one. */
  readonly fix?: ProblemFix | undefined;
}

/** A change of the file that has a problem. */
export interface ProblemFix {
  /** JSON pointer within the file, as a URI fragment. */
  readonly pointer: string;
  /** `key`: another name for the member. `value`: another text. `member`: one more member of the object, `operationId: getPet`. */
  readonly change: "key" | "value" | "member";
  readonly text: string;
}

/** Creates a problem that Tenon itself reports. */
export function createProblem(
  code: ContractProblemCode,
  message: string,
  position: SourcePosition,
  hint?: string,
): Problem {
  return { code, severity: severityOf(code), message, ...position, hint };
}

export interface SourcePosition {
  /** Absolute path or URL of the file as the author wrote it, before bundling. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  /** JSON pointer within `file`, as a URI fragment: `#/paths/~1pets/get`. */
  readonly pointer: string;
}
