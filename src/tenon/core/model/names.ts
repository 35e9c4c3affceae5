import { toEssence } from "../http/media-type.js";

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Whether a name can be a property key, or a capitalised one a type's name, without quotes. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/**
 * Converts any name of a document to an identifier; one that is an identifier already stays as it is.
 * `get-pet` becomes `getPet`, `2d.shape` becomes `_2dShape`, an empty name `_`.
 * It may be a reserved word, which a property can be called and a type cannot: see {@link toTypeName}.
 */
export function toIdentifier(name: string): string {
  const [first = "", ...rest] = name.split(/[^\p{ID_Continue}$]+/u).filter((word) => word !== "");
  const joined = first + rest.map(capitalize).join("");
  return isIdentifier(joined) ? joined : `_${joined}`;
}

/**
 * Converts any name of a document to the name of a type: `pet-status` becomes `PetStatus`, `class` becomes `Class`.
 * No reserved word and no predefined type starts with a capital, so the result never is one. Different names can become
 * the same type name: code that declares types has to look for clashes.
 */
export function toTypeName(name: string): string {
  return capitalize(toIdentifier(name));
}

/** Guards the places that write a name into code without quotes. */
export function assertIdentifier(name: string): string {
  if (!isIdentifier(name)) throw new Error(`Cannot emit ${JSON.stringify(name)} without quotes`);
  return name;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * Names media types as methods: `application/problem+json` is `problemJson`, `image/*` is `image`, `*\/*` is `any`. Those
 * that would share a name get their whole type: `application/json` beside `text/json` is `applicationJson`. Where even that
 * is taken, the later one gets a trailing `_`.
 */
export function toMethodNames(mediaTypes: readonly string[]): readonly string[] {
  const short = mediaTypes.map(toShortName);
  const taken = new Set<string>();
  return short.map((own, index) => {
    const isShared = short.some((other, at) => at !== index && other === own);
    let name = isShared ? toIdentifier((mediaTypes[index] ?? "").toLowerCase().replaceAll("*", "any")) : own;
    while (taken.has(name)) name += "_";
    taken.add(name);
    return name;
  });
}

function toShortName(mediaType: string): string {
  const [type = "", subtype = ""] = toEssence(mediaType).split("/");
  if (subtype !== "*") return toIdentifier(subtype.replace("*", "any"));
  return type === "*" ? "any" : toIdentifier(type);
}

/** `GET /pets/{petId}` */
export function toOperationLabel({
  method,
  path,
}: {
  readonly method: string;
  readonly path: string;
}): string {
  return `${method.toUpperCase()} ${path}`;
}
