import { toEssence } from "tenon/core/http";
import type { Placed } from "tenon/core/document";
import type { Parameter, ResponseHeader } from "tenon/core/model";
import type { SchemaGraph } from "../schema/graph.js";
import { toConjunction } from "../schema/normal-form/conjunction.js";
import type { Sides } from "../sides.js";
import type { Owner } from "./schemas.js";
import { reportChange, type Scope } from "./scope.js";

/** A header, or a parameter with its declaration. Headers only have the style `simple`. */
type Serialized = Placed &
  Pick<ResponseHeader, "schema" | "explode" | "mediaType"> &
  Partial<Pick<Parameter, "declared">>;

const CODES = {
  request: "request-parameter-serialization-changed",
  response: "response-header-serialization-changed",
} as const;

/** Compares how the values of a parameter or header become text. */
export function compareSerialization(
  at: Sides<Serialized>,
  { direction, name }: Pick<Owner, "direction" | "name">,
  scope: Scope,
): void {
  const graph = scope.schemas[direction];
  const [before, after] = [show(at.base, at, graph), show(at.revision, at, graph)];
  if (before === after) return;
  const message = `${name} is serialized in another way: ${before}, now ${after}`;
  reportChange(CODES[direction], { message, at, before, after }, scope);
}

const ALLOWED = {
  request: "request-parameter",
  response: "response-parameter",
} as const;

/** Compares whether a parameter may be empty, and contain reserved characters that are not escaped. */
export function compareAllowed(
  at: Sides<Placed & Partial<Pick<Parameter, "declared" | "allowReserved">>>,
  { direction, name }: Pick<Owner, "direction" | "name">,
  scope: Scope,
): void {
  const kind = ALLOWED[direction];
  const isEmptyAllowed = at.revision.declared?.allowEmptyValue === true;
  if ((at.base.declared?.allowEmptyValue === true) !== isEmptyAllowed) {
    const code = `${kind}-empty-${isEmptyAllowed ? "allowed" : "forbidden"}` as const;
    reportChange(code, { message: `${name} ${isEmptyAllowed ? "may" : "must not"} be empty`, at }, scope);
  }
  const [wasReservedAllowed, isReservedAllowed] = [at.base, at.revision].map(
    (one) => one.allowReserved === true,
  );
  if (wasReservedAllowed !== isReservedAllowed) {
    const code = `${kind}-reserved-${isReservedAllowed ? "allowed" : "forbidden"}` as const;
    const message = `${name} ${isReservedAllowed ? "may" : "must not"} contain unescaped reserved characters`;
    reportChange(code, { message, at }, scope);
  }
}

/** Describes a serialization as far as the type makes a difference: `style form, exploded`. */
function show(
  { mediaType, explode: isExploded, declared }: Serialized,
  sides: Sides<Serialized>,
  graph: SchemaGraph,
): string {
  if (mediaType !== undefined) return toEssence(mediaType);
  const { style = "simple", explode = isExploded } = declared ?? {};
  // Types are compared as texts where only one side allows lists or objects.
  const admits = (kind: "array" | "object") =>
    (["base", "revision"] as const).every((side) => {
      const { declared: own, schema } = sides[side];
      return graph.admits(kind, side, toConjunction(own?.schema ?? schema));
    });
  const compound = admits("array") || admits("object");
  // `form`, the delimited styles and `simple` serialize a plain value alike, exploded or not.
  if (!compound) return style === "label" || style === "matrix" ? style : "plain";
  const matters = style === "simple" ? admits("object") : style !== "deepObject";
  return `style ${style}${matters ? (explode ? ", exploded" : ", not exploded") : ""}`;
}
