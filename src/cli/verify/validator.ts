import { registerSchema, unregisterSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import { getByPointer, isNode } from "tenon/core/document";
import { type JsonSchema, type Schema, type Side, toJsonSchema } from "tenon/core/schema";
import { groupBy } from "../generate/group-by.js";
import type { SchemaView } from "../values/index.js";
import { FORMAT_SCHEMAS } from "./formats.js";

/** The first part of a value that its schema does not allow. */
export interface Violation {
  /** JSON pointer into the value; "" is the whole. */
  readonly at: string;
  readonly keyword: string;
  /** Pointer of the keyword in the contract: `#/components/schemas/Pet/properties/name/maxLength`. */
  readonly cause: string;
  /** Name of the member that is invalid; of `required`, the names of those that are missing. */
  readonly names: readonly string[];
  /** `"/limit" is 101; the contract says maximum 100` */
  readonly message: string;
}

/** Validates values by the schemas of one side of a contract. Only this file depends on the validation package. */
export interface Validator extends Required<SchemaView> {
  /**
   * @returns undefined when the value is valid.
   * @throws when the schema was not prepared.
   */
  find(schema: Schema, value: unknown): Violation | undefined;
  /** Every violation. */
  list(schema: Schema, value: unknown): readonly Violation[];
  /** Compiles schemas. */
  prepare(schemas: Iterable<Schema>): Promise<void>;
  /** Forgets the schemas, which the package keeps for the whole process. */
  close(): void;
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

const TOO_DEEP = "The value is nested too deep to be validated";

type Compiled = Awaited<ReturnType<typeof validate>>;

let count = 0;

interface ValidatorOptions extends Required<SchemaView> {
  /** The side whose formats are validated. Default: that of the schemas. */
  readonly formatsOf?: Side;
  /** Selects patterns that are not validated, because matching them would take too long. Default: none. */
  readonly skipsPattern?: (pattern: string) => boolean;
}

/** Creates a validator. It compiles a schema, and what it refers to, when it is prepared. */
export function createValidator({
  registry,
  side,
  formatsOf = side,
  skipsPattern = () => false,
}: ValidatorOptions): Validator {
  const id = `https://tenon.invalid/${side}/${(count += 1)}`;
  const registered: string[] = [];
  /** Schemas by keys that are parts of URIs: `S0`, `S1`, … */
  const written: Record<string, JsonSchema> = {};
  const pointers: Record<string, string> = {};
  const uris = new Map<string, string>();
  const compiled = new Map<Schema, Compiled>();

  /** Registers schemas, and those that they refer to, as one document. */
  const register = (schemas: readonly Schema[]): readonly string[] => {
    const uri = `${id}/${registered.length}`;
    const added: Record<string, JsonSchema> = {};
    const waiting: (readonly [key: string, schema: Schema])[] = [];
    const add = (schema: Schema): string => {
      const key = `S${Object.keys(written).length}`;
      written[key] = true;
      pointers[key] = schema.pointer;
      waiting.push([key, schema]);
      return `${uri}#/$defs/${key}`;
    };
    const toUri = (reference: string): string => {
      const known = uris.get(reference) ?? add(registry.get(reference));
      uris.set(reference, known);
      return known;
    };
    const options = {
      registry,
      side,
      toUri,
      toPattern: (pattern: string) => {
        const readable = toUnicodePattern(pattern);
        return readable === undefined || skipsPattern(readable) ? undefined : readable;
      },
      formats: FORMAT_SCHEMAS[formatsOf],
      // A response with a writeOnly value reveals a secret.
      ...(side === "response" && { absent: "forbidden" as const }),
    };
    const own = schemas.map(add);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [key, schema] = next;
      added[key] = written[key] = toJsonSchema(schema, options);
    }
    registerSchema({ $defs: added } as Parameters<typeof registerSchema>[0], uri, DIALECT);
    registered.push(uri);
    return own;
  };

  const check = (schema: Schema, value: unknown): readonly OutputUnit[] | undefined => {
    const isValid = compiled.get(schema);
    if (isValid === undefined) throw new Error(`The schema at ${schema.pointer} was not prepared`);
    const output = isValid(value as Parameters<Compiled>[0], "DETAILED");
    return output.valid ? undefined : [...listErrors(output.errors ?? [], own.document)];
  };
  /** Each level of a value and of its schemas takes stack. */
  const listViolations = (
    schema: Schema,
    value: unknown,
    group: (errors: readonly OutputUnit[]) => readonly (readonly OutputUnit[])[],
  ): readonly Violation[] => {
    try {
      const errors = check(schema, value);
      return errors === undefined ? [] : group(errors).map((one) => toViolation(one, value, own));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return [{ at: "", keyword: "", cause: schema.pointer, names: [], message: TOO_DEEP }];
    }
  };
  const own = { document: { $defs: written }, pointers };

  return {
    registry,
    side,
    async prepare(schemas) {
      const missing = [...new Set(schemas)].filter((schema) => !compiled.has(schema));
      if (missing.length === 0) return;
      for (const [index, uri] of register(missing).entries()) {
        const schema = missing[index];
        if (schema !== undefined) compiled.set(schema, await validate(uri));
      }
    },
    find: (schema, value) => listViolations(schema, value, (errors) => [errors])[0],
    list: (schema, value) => listViolations(schema, value, groupErrors),
    close: () => {
      for (const uri of registered) unregisterSchema(uri);
    },
  };
}

interface OutputUnit {
  readonly keyword: string;
  readonly absoluteKeywordLocation: string;
  readonly instanceLocation: string;
  /** Errors of the keyword's schemas. */
  readonly errors?: readonly OutputUnit[];
}

const UNION = /\/(?:anyOf|oneOf)$/;

/** Keywords that are only invalid because of their schemas. */
const APPLYING =
  /\/(?:allOf|ref|dynamicRef|then|else|properties|patternProperties|additionalProperties|unevaluatedProperties|propertyNames|dependentSchemas|items|prefixItems|unevaluatedItems)$/;

/** Lists errors without those that other errors explain. Of a union, only the alternatives that the value most likely means count. */
function* listErrors(units: readonly OutputUnit[], document: object): Generator<OutputUnit> {
  for (const unit of units) {
    const { errors = [] } = unit;
    if (errors.length === 0 || !APPLYING.test(unit.keyword)) yield unit;
    yield* UNION.test(unit.keyword) ? listMeant(unit, errors, document) : listErrors(errors, document);
  }
}

/** Lists the errors of the alternatives that are closest to a value; none when several match, which `oneOf` does not allow. */
function listMeant(
  { absoluteKeywordLocation: union, instanceLocation: place }: OutputUnit,
  errors: readonly OutputUnit[],
  document: object,
): readonly OutputUnit[] {
  const read = (location: string) => getByPointer(document, location.replace(/^[^#]*/, ""));
  const alternatives = [
    ...groupBy(errors, ({ absoluteKeywordLocation: keyword }) =>
      keyword.slice(union.length + 1).replace(/\/.*/s, ""),
    ).values(),
  ].map((own) => [...listErrors(own, document)]);
  const all = read(union);
  if (Array.isArray(all) && alternatives.length < all.length) return [];
  const distances = alternatives.map((own) =>
    Math.max(
      ...own.map(({ keyword, instanceLocation, absoluteKeywordLocation }) => {
        if (keyword.endsWith("/type") && instanceLocation === place) return 2;
        const wanted = keyword.endsWith("/enum") ? read(absoluteKeywordLocation) : undefined;
        // A single value, such as `kind: "cat"`, says which alternative is meant.
        const isMember = instanceLocation.split("/").length <= place.split("/").length + 1;
        return Array.isArray(wanted) && wanted.length === 1 && isMember ? 1 : 0;
      }),
    ),
  );
  const least = Math.min(...distances);
  return alternatives.flatMap((own, index) => (distances[index] === least ? own : []));
}

/** Each error is a violation; where no alternative matches, the errors within the value belong to that one. */
function groupErrors(errors: readonly OutputUnit[]): readonly (readonly OutputUnit[])[] {
  const choices = errors
    .filter(({ keyword }) => UNION.test(keyword))
    .map(({ instanceLocation }) => instanceLocation)
    .sort((a, b) => a.length - b.length);
  const groups = groupBy(errors, ({ instanceLocation: place, absoluteKeywordLocation: keyword }) => {
    const choice = choices.find((one) => place === one || place.startsWith(`${one}/`));
    return choice ?? `${place} ${keyword}`;
  });
  return [...groups.values()];
}

/** The written schemas, and the pointers of the author's schemas by the same keys. */
interface Written {
  readonly document: { readonly $defs: Readonly<Record<string, JsonSchema>> };
  readonly pointers: Readonly<Record<string, string>>;
}

/** The deepest error is the most specific: what contains it is invalid because of it. */
function toViolation(
  errors: readonly OutputUnit[],
  value: unknown,
  { document, pointers }: Written,
): Violation {
  const [first] = [...errors].sort((a, b) => toDepth(b) - toDepth(a));
  if (first === undefined) return { at: "", keyword: "", cause: "", names: [], message: "is not valid" };
  const at = decodeURIComponent(first.instanceLocation.replace(/^[^#]*#/, ""));
  const [, fragment = ""] = first.absoluteKeywordLocation.split("#");
  const format = toFormat(fragment, document);
  const keyword = format === undefined ? first.keyword.slice(first.keyword.lastIndexOf("/") + 1) : "format";
  const find = () => getByPointer({ "": value }, `#/${at}`);
  const wanted = () => format ?? getByPointer(document, `#${fragment}`);
  return {
    at,
    keyword,
    get cause() {
      const [, key = "", rest = ""] = /^\/\$defs\/(S\d+)(.*)$/.exec(fragment) ?? [];
      return (
        (pointers[key] ?? "") + (format === undefined ? rest : rest.replace(/\/allOf\/\d+\/\w+$/, "/format"))
      );
    },
    get names() {
      const missing = keyword === "required" ? listMissing(wanted(), find()) : [];
      const name = at.split("/").findLast((part) => !/^\d*$/.test(part));
      return missing.length > 0 || name === undefined ? missing : [name];
    },
    // Most violations are never shown.
    get message() {
      const found = find();
      return `${at === "" ? "The value" : `"${at}"`} is ${show(found)}; ${describe(keyword, wanted(), found)}`;
    },
  };
}

/** The format whose schema a keyword belongs to. */
function toFormat(fragment: string, document: object): string | undefined {
  const schema = getByPointer(document, `#${fragment.slice(0, fragment.lastIndexOf("/"))}`);
  const format = isNode(schema) ? schema["$comment"] : undefined;
  return typeof format === "string" ? format : undefined;
}

function listMissing(required: unknown, found: unknown): readonly string[] {
  if (!Array.isArray(required) || !isNode(found)) return [];
  return required.filter((name): name is string => typeof name === "string" && !Object.hasOwn(found, name));
}

function toDepth({ instanceLocation, keyword }: OutputUnit): number {
  const composing = /\/(?:allOf|anyOf|oneOf|ref|properties|items|validate)$/.test(keyword) ? 0 : 0.5;
  return instanceLocation.split("/").length + composing;
}

function describe(keyword: string, wanted: unknown, found: unknown): string {
  if (keyword === "required")
    return `it lacks ${listMissing(wanted, found)
      .map((name) => JSON.stringify(name))
      .join(", ")}`;
  if (wanted === false || keyword === "validate") return "nothing is allowed there";
  if (keyword === "anyOf") return "it does not match any alternative of anyOf";
  if (keyword === "oneOf") return "it does not match exactly one alternative of oneOf";
  return `the contract says ${keyword} ${show(wanted)}`;
}

function show(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/**
 * Rewrites a pattern for the validator, which compiles it with the flag `u`: without escapes that are only valid without it.
 * @returns undefined for a pattern that is invalid, or has another meaning with the flag.
 */
export function toUnicodePattern(pattern: string): string | undefined {
  const plain = pattern.replaceAll(/\\([_'"!@%&=:;,<>~`# ])/g, "$1");
  return [pattern, plain].find((source) => {
    try {
      return new RegExp(source, "u");
    } catch {
      return undefined;
    }
  });
}
