import { emitErrorOptions } from "../../../src/cli/generate/server/error-options.js";
import { toOperationContract, toTypeContext } from "./contract.js";
import { testEmit } from "./given-want.js";

/** `["400", "application/json", "Error"]`; without a schema's name nothing is said about the body. */
type Declared = readonly [status: string, mediaType: string, schema?: string];

const COMPONENTS = { Error: { type: "object" }, Problem: { type: "object" } };

function toResponses(declared: readonly Declared[]): object {
  const statuses = [...new Set(declared.map(([status]) => status))];
  const toContent = (status: string) =>
    declared
      .filter(([own]) => own === status)
      .map(([, name, schema]) => [
        name,
        schema === undefined ? {} : { schema: { $ref: `#/components/schemas/${schema}` } },
      ]);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: "", content: Object.fromEntries(toContent(status)) as object },
    ]),
  );
}

/** The members, without comments. */
function emitMembers(declared: readonly Declared[]): string {
  const contract = toOperationContract({ responses: toResponses(declared) }, COMPONENTS);
  return emitErrorOptions(contract.operations, toTypeContext(contract))
    .replace(/^ *\/\*\*.*\n/gm, "")
    .replace(/^export interface ErrorOptions extends FailureOptions \{\n([^]*)\}\n$/, "$1");
}

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";
const one = (type: string): string =>
  `  readonly errorBody: MakeErrorBody<${type}>;\n  readonly errorMediaType?: "application/json";\n`;

testEmit<readonly Declared[]>("emitErrorOptions", emitMembers, [
  [
    "no error is declared",
    [["200", JSON_TYPE, "Error"]],
    "  readonly errorBody: MakeErrorBody<unknown>;\n  readonly errorMediaType?: string;\n",
  ],
  ["one", [["400", JSON_TYPE, "Error"]], one("ErrorBody")],
  [
    "one and nothing said of another",
    [
      ["400", JSON_TYPE],
      ["401", JSON_TYPE, "Error"],
    ],
    one("ErrorBody"),
  ],
  [
    "two",
    [
      ["400", JSON_TYPE, "Problem"],
      ["4XX", JSON_TYPE, "Error"],
    ],
    one("Problem | ErrorBody"),
  ],
  [
    "what only handlers answer is left alone",
    [
      ["409", PROBLEM_TYPE, "Problem"],
      ["401", JSON_TYPE, "Error"],
    ],
    one("ErrorBody"),
  ],
  [
    "`default` is an error beside a success",
    [
      ["200", "text/csv"],
      ["default", JSON_TYPE, "Error"],
    ],
    one("ErrorBody"),
  ],
  [
    "and else the success",
    [
      ["default", JSON_TYPE, "Problem"],
      ["400", JSON_TYPE, "Error"],
    ],
    one("ErrorBody"),
  ],
  [
    "of several under one status, the usual one",
    [
      ["400", "text/plain"],
      ["400", JSON_TYPE, "Error"],
      ["400", PROBLEM_TYPE, "Problem"],
    ],
    one("ErrorBody"),
  ],
  [
    "what the runtime does not use by itself has to be said",
    [["400", PROBLEM_TYPE, "Problem"]],
    `  readonly errorBody: MakeErrorBody<Problem>;\n  readonly errorMediaType: "application/problem+json";\n`,
  ],
  [
    "several media types have a function each",
    [
      ["400", `${PROBLEM_TYPE}; v=1`, "Problem"],
      ["401", JSON_TYPE, "Error"],
      ["500", "text/plain"],
    ],
    `  readonly errorBody: {
    readonly "application/problem+json": MakeErrorBody<Problem>;
    readonly "application/json": MakeErrorBody<ErrorBody>;
    readonly "text/plain": MakeErrorBody<string>;
  };
  readonly errorMediaType?: "application/problem+json" | "application/json" | "text/plain";
`,
  ],
  [
    "ranges and bytes are nobody's to write",
    [
      ["400", "*/*"],
      ["401", "application/pdf"],
    ],
    "  readonly errorBody: MakeErrorBody<unknown>;\n  readonly errorMediaType?: string;\n",
  ],
]);
