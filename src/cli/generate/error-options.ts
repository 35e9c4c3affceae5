import type { MediaType, Operation } from "tenon/core/legacy/model";
import { isRange, toEssence, toReplyKind } from "tenon/core/http/media-type";
import { emitType, type TypeContext } from "./schema-type.js";
import { emitComment, emitValue } from "./text.js";

/** What the runtime answers by itself, for an operation that it has found. */
const STATUSES = ["400", "401", "406", "410", "413", "415", "429", "500", "501", "503", "4XX", "5XX"];

const USUAL = "application/json";

/**
 * Emits `ErrorOptions`: the runtime's, with the types of the bodies that the contract declares for the statuses which the runtime
 * answers by itself. Several media types have a function each.
 */
export function emitErrorOptions(
  operations: readonly Operation[],
  context: Omit<TypeContext, "view">,
): string {
  const bodies = findBodies(operations, { ...context, view: "response" });
  return `/** How errors are written, logged and recognised; \`createErrorHandler\` and \`createHttpServer\` take it too. */
export interface ErrorOptions extends FailureOptions {
${emitErrorBody(bodies)}${emitErrorMediaType([...bodies.keys()])}}
`;
}

function emitErrorBody(bodies: ReadonlyMap<string, string>): string {
  const comment = emitComment(["Makes an error's body, as the contract declares it."], "  ");
  const [type = "unknown", ...others] = bodies.values();
  if (others.length === 0) return `${comment}  readonly errorBody: MakeErrorBody<${type}>;\n`;
  const members = [...bodies].map(
    ([name, body]) => `    readonly ${emitValue(name)}: MakeErrorBody<${body}>;\n`,
  );
  return `${comment}  readonly errorBody: {\n${members.join("")}  };\n`;
}

/** What has no default has to be said: the runtime's is the usual media type, which the contract may not have. */
function emitErrorMediaType(names: readonly string[]): string {
  const comment = emitComment(["Of errors for which no operation declares a media type."], "  ");
  const optional = names.length === 0 || names.includes(USUAL) ? "?" : "";
  const type = names.length === 0 ? "string" : names.map((name) => emitValue(name)).join(" | ");
  return `${comment}  readonly errorMediaType${optional}: ${type};\n`;
}

/** Types of error bodies by media type. */
function findBodies(operations: readonly Operation[], context: TypeContext): ReadonlyMap<string, string> {
  const bodies = new Map<string, Set<string>>();
  for (const mediaType of operations.flatMap(findErrors)) {
    const name = toEssence(mediaType.name);
    const type = toReplyKind(name) === "text" ? "string" : emitType(mediaType.schema, context, "  ");
    bodies.set(name, (bodies.get(name) ?? new Set()).add(type));
  }
  return new Map(
    [...bodies].map(([name, types]) => {
      // A body that the contract says nothing of may be any of the others.
      const said = [...types].filter((type) => type !== "unknown");
      return [name, said.join(" | ") || "unknown"];
    }),
  );
}

/** What the runtime chooses for each error of an operation: the usual media type, or else the first that it can write. */
function findErrors({ responses }: Operation): readonly MediaType[] {
  // Without a declared success, `default` stands for it.
  const hasSuccess = responses.some(({ status }) => status.startsWith("2"));
  return responses.flatMap(({ status, mediaTypes }) => {
    if (!STATUSES.includes(status) && !(status === "default" && hasSuccess)) return [];
    const writable = mediaTypes.filter(({ name }) => !isRange(name) && toReplyKind(name) !== "binary");
    return writable.find(({ name }) => toEssence(name) === USUAL) ?? writable[0] ?? [];
  });
}
