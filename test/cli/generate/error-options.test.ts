import { emitErrorOptions } from "../../../src/cli/generate/error-options.js";
import { createNames } from "../../../src/cli/generate/names.js";
import { findViews } from "../../../src/cli/generate/views.js";
import type { NamedSchema, Operation, Schema } from "../../../src/tenon/core/legacy/model.js";
import { testEmit } from "./given-want.js";

const named = (name: string): NamedSchema => ({ name, typeName: name, schema: { types: ["object"] } });
const COMPONENTS = [named("Error"), named("Problem")];
const SCHEMAS = new Map(COMPONENTS.map((component) => [component.name, component]));
const VIEWS = findViews(SCHEMAS, []);
const CONTEXT = { schemas: SCHEMAS, views: VIEWS, names: createNames(COMPONENTS, [], VIEWS) };

/** `["400", "application/json", "Error"]`; without a schema's name nothing is said of the body. */
type Declared = readonly [status: string, mediaType: string, reference?: string];

function toOperation(declared: readonly Declared[]): Operation {
  const statuses = [...new Set(declared.map(([status]) => status))];
  return {
    ...{ id: "x", typeName: "X", method: "get", path: "/x", parameters: [], callbacks: [], security: [] },
    stub: false,
    responses: statuses.map((status) => ({
      status,
      headers: [],
      mediaTypes: declared
        .filter(([own]) => own === status)
        .map(([, name, reference]) => {
          const schema: Schema = reference === undefined ? {} : { reference };
          return { name, methodName: "x", schema };
        }),
    })),
  };
}

/** The members, without comments. */
const emitMembers = (declared: readonly Declared[]): string =>
  emitErrorOptions([toOperation(declared)], CONTEXT)
    .replace(/^ *\/\*\*.*\n/gm, "")
    .replace(/^export interface ErrorOptions extends FailureOptions \{\n([^]*)\}\n$/, "$1");

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
  ["one", [["400", JSON_TYPE, "Error"]], one("Error")],
  [
    "one and nothing said of another",
    [
      ["400", JSON_TYPE],
      ["401", JSON_TYPE, "Error"],
    ],
    one("Error"),
  ],
  [
    "two",
    [
      ["400", JSON_TYPE, "Problem"],
      ["4XX", JSON_TYPE, "Error"],
    ],
    one("Problem | Error"),
  ],
  [
    "what only handlers answer is left alone",
    [
      ["409", PROBLEM_TYPE, "Problem"],
      ["401", JSON_TYPE, "Error"],
    ],
    one("Error"),
  ],
  [
    "`default` is an error beside a success",
    [
      ["200", "text/csv"],
      ["default", JSON_TYPE, "Error"],
    ],
    one("Error"),
  ],
  [
    "and else the success",
    [
      ["default", JSON_TYPE, "Problem"],
      ["400", JSON_TYPE, "Error"],
    ],
    one("Error"),
  ],
  [
    "of several under one status, the usual one",
    [
      ["400", "text/plain"],
      ["400", JSON_TYPE, "Error"],
      ["400", PROBLEM_TYPE, "Problem"],
    ],
    one("Error"),
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
    readonly "application/json": MakeErrorBody<Error>;
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
