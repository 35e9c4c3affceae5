import type { MediaType, Operation } from "tenon/core/model";
import { isRange, toEssence, toReplyKind } from "tenon/core/http";
import { type Context, emitType, type TypeContext } from "./schema-type.js";
import { emitComment, emitValue } from "../text.js";

/** Statuses that the runtime itself sends for an operation of the contract. */
const STATUSES = ["400", "401", "406", "410", "413", "415", "429", "500", "501", "503", "4XX", "5XX"];

const USUAL = "application/json";

/**
 * Emits `ErrorOptions`: the runtime's options with the contract's body types for the statuses that the runtime itself sends. Each
 * media type has its own function.
 */
export function emitErrorOptions(operations: readonly Operation[], context: Context): string {
  const bodies = findBodies(operations, { ...context, view: "response" });
  return `/** How errors are written, logged and recognised; \`createErrorHandler\` and \`createHttpServer\` take it too. */
export interface ErrorOptions extends FailureOptions {
${emitErrorBody(bodies)}${emitErrorMediaType([...bodies.keys()])}}
`;
}

function emitErrorBody(bodies: ReadonlyMap<string, string>): string {
  const comment = emitComment(
    ["Creates the body of an error response with the schema that the contract declares."],
    "  ",
  );
  const [type = "unknown", ...others] = bodies.values();
  if (others.length === 0) return `${comment}  readonly errorBody: MakeErrorBody<${type}>;\n`;
  const members = [...bodies].map(
    ([name, body]) => `    readonly ${emitValue(name)}: MakeErrorBody<${body}>;\n`,
  );
  return `${comment}  readonly errorBody: {\n${members.join("")}  };\n`;
}

/** Emits `errorMediaType`, which is required if the contract does not declare the runtime's default media type. */
function emitErrorMediaType(names: readonly string[]): string {
  const comment = emitComment(["Media type of errors for which no operation declares one."], "  ");
  const optional = names.length === 0 || names.includes(USUAL) ? "?" : "";
  const type = names.length === 0 ? "string" : names.map((name) => emitValue(name)).join(" | ");
  return `${comment}  readonly errorMediaType${optional}: ${type};\n`;
}

function findBodies(operations: readonly Operation[], context: TypeContext): ReadonlyMap<string, string> {
  const bodies = new Map<string, Set<string>>();
  for (const mediaType of operations.flatMap(findErrors)) {
    const name = toEssence(mediaType.name);
    const type = toReplyKind(name) === "text" ? "string" : emitType(mediaType.schema, context, "  ");
    bodies.set(name, (bodies.get(name) ?? new Set()).add(type));
  }
  return new Map(
    [...bodies].map(([name, types]) => {
      // A body without a schema may have any of the other types.
      const declared = [...types].filter((type) => type !== "unknown");
      return [name, declared.join(" | ") || "unknown"];
    }),
  );
}

/** Finds the media type of each error that the runtime sends: its default one, or the first that it can serialize. */
function findErrors({ responses }: Operation): readonly MediaType[] {
  // Without a declared success, `default` describes it.
  const hasSuccess = responses.some(({ status }) => status.startsWith("2"));
  return responses.flatMap(({ status, mediaTypes }) => {
    if (!STATUSES.includes(status) && !(status === "default" && hasSuccess)) return [];
    const writable = mediaTypes.filter(({ name }) => !isRange(name) && toReplyKind(name) !== "binary");
    return writable.find(({ name }) => toEssence(name) === USUAL) ?? writable[0] ?? [];
  });
}
