import { toEssence } from "../http/media-type.js";
import { HTTP_METHODS, type HttpMethod } from "../http/methods.js";

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Tests whether a name is valid as a property key without quotes. If capitalized, it is also valid as the name of a type. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/**
 * Converts any name of a document to an identifier; an identifier stays unchanged.
 * `get-pet` becomes `getPet`, `2d.shape` becomes `_2dShape`, an empty name `_`.
 * The result may be a reserved word, which is allowed for a property but not for a type: see {@link toTypeName}.
 */
export function toIdentifier(name: string): string {
  const [first = "", ...rest] = name.split(/[^\p{ID_Continue}$]+/u).filter((word) => word !== "");
  const joined = first + rest.map(capitalize).join("");
  return isIdentifier(joined) ? joined : `_${joined}`;
}

/**
 * Converts any name of a document to the name of a type: `pet-status` becomes `PetStatus`, `class` becomes `Class`.
 * Reserved words and predefined types start in lower case, so the result is never one of them. Different names can become
 * the same type name: code that declares types must resolve conflicts.
 */
export function toTypeName(name: string): string {
  return capitalize(toIdentifier(name));
}

/**
 * Returns a name that is written into code without quotes.
 * @throws {Error} when it is not an identifier.
 */
export function assertIdentifier(name: string): string {
  if (!isIdentifier(name)) throw new Error(`Cannot emit ${JSON.stringify(name)} without quotes`);
  return name;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Number of times that a taken name gets a `_`. */
const MOST_UNDERSCORES = 3;

/** Names in one scope. Thousands of names that want to be the same take time and text in proportion to their number. */
export class UniqueNames {
  readonly #taken: Set<string>;
  /** Number of tries for the name that was wanted. */
  readonly #tries = new Map<string, number>();

  /** @param reserved Names that none gets. */
  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  /** Adds a name. One that is taken gets a trailing `_`; after three of them, a number: `list`, `list_`, `list__`, `list___`, `list_4`. */
  add(wanted: string): string {
    let tries = this.#tries.get(wanted) ?? 0;
    const toName = () => (tries <= MOST_UNDERSCORES ? wanted + "_".repeat(tries) : `${wanted}_${tries}`);
    while (this.#taken.has(toName())) tries += 1;
    const name = toName();
    this.#tries.set(wanted, tries + 1);
    this.#taken.add(name);
    return name;
  }
}

/**
 * Converts media types to names of methods: `application/problem+json` is `problemJson`, `image/*` is `image`, `*\/*` is
 * `any`. If two would have the same name, both get their whole type: `application/json` beside `text/json` is
 * `applicationJson`. If that name is taken too, the later one gets a trailing `_`.
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

interface MethodAndPath {
  readonly method: string;
  readonly path: string;
}

/** `GET /pets/{petId}` */
export function toOperationLabel({ method, path }: MethodAndPath): string {
  return `${method.toUpperCase()} ${path}`;
}

/**
 * Returns the keys from a path item to one of its operations: `["get"]`, or `["additionalOperations", "COPY"]` for a method that is
 * not a field.
 */
export function toMethodKeys(method: HttpMethod): readonly string[] {
  const isField = (HTTP_METHODS as readonly string[]).includes(method);
  return isField ? [method] : ["additionalOperations", method.toUpperCase()];
}

/** Label without the names of path parameters, which requests do not contain: `GET /pets/{}` */
export function toOperationKey(operation: MethodAndPath): string {
  return toOperationLabel(operation).replaceAll(/\{[^{}]*\}/g, "{}");
}
