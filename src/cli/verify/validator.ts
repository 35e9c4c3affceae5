import { registerSchema, unregisterSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import { getByPointer, isNode } from "tenon/core/document";
import { type JsonSchema, type Schema, toJsonSchema } from "tenon/core/schema";
import { groupBy } from "../generate/group-by.js";
import type { SchemaView } from "../values/index.js";

/** The first part of a value that its schema does not allow. */
export interface Violation {
  /** JSON pointer into the value; "" is the whole. */
  readonly at: string;
  readonly keyword: string;
  /** `"/limit" is 101; the contract says maximum 100` */
  readonly message: string;
}

/** Validates values by the schemas of one side of a contract. Only this file depends on the validation package. */
export interface Validator extends SchemaView {
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

/** Formats that clients parse. Other format names have no agreed meaning and are not checked. */
const RESPONSE_FORMATS: Readonly<Record<string, string>> = {
  date: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$",
  "date-time":
    "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-]\\d{2}:\\d{2})$",
  uuid: "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
};

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

type Compiled = Awaited<ReturnType<typeof validate>>;

let count = 0;

/** Creates a validator. It compiles a schema, and what it refers to, when it is prepared. */
export function createValidator({ registry, side }: SchemaView): Validator {
  const id = `https://tenon.invalid/${side}/${(count += 1)}`;
  const registered: string[] = [];
  /** Schemas by keys that are parts of URIs: `S0`, `S1`, … */
  const written: Record<string, JsonSchema> = {};
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
      toPattern: toUnicodePattern,
      // A response with a writeOnly value reveals a secret.
      ...(side === "response" && { absent: "forbidden" as const, formats: RESPONSE_FORMATS }),
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
    const output = isValid(value as Parameters<Compiled>[0], "BASIC");
    return output.valid ? undefined : (output.errors ?? []);
  };
  const document = { $defs: written };

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
    find(schema, value) {
      const errors = check(schema, value);
      return errors && toViolation(errors, value, document);
    },
    list(schema, value) {
      return groupErrors(check(schema, value) ?? []).map((errors) => toViolation(errors, value, document));
    },
    close: () => {
      for (const uri of registered) unregisterSchema(uri);
    },
  };
}

interface OutputUnit {
  readonly keyword: string;
  readonly absoluteKeywordLocation: string;
  readonly instanceLocation: string;
}

/** Each error is a violation; where no alternative matches, the errors within the value belong to that one. */
function groupErrors(errors: readonly OutputUnit[]): readonly (readonly OutputUnit[])[] {
  const choices = errors
    .filter(({ keyword }) => /\/(?:anyOf|oneOf)$/.test(keyword))
    .map(({ instanceLocation }) => instanceLocation)
    .sort((a, b) => a.length - b.length);
  const groups = groupBy(errors, ({ instanceLocation: place, absoluteKeywordLocation: keyword }) => {
    const choice = choices.find((one) => place === one || place.startsWith(`${one}/`));
    return choice ?? `${place} ${keyword}`;
  });
  return [...groups.values()];
}

/** The deepest error is the most specific: what contains it is invalid because of it. */
function toViolation(errors: readonly OutputUnit[], value: unknown, document: object): Violation {
  const [first] = [...errors].sort((a, b) => toDepth(b) - toDepth(a));
  if (first === undefined) return { at: "", keyword: "", message: "is not valid" };
  const at = decodeURIComponent(first.instanceLocation.replace(/^[^#]*#/, ""));
  const keyword = first.keyword.slice(first.keyword.lastIndexOf("/") + 1);
  return {
    at,
    keyword,
    // Most violations are never shown.
    get message() {
      const [, fragment = ""] = first.absoluteKeywordLocation.split("#");
      const found = getByPointer({ "": value }, `#/${at}`);
      const wanted = describe(keyword, getByPointer(document, `#${fragment}`), found);
      return `${at === "" ? "The value" : `"${at}"`} is ${show(found)}; ${wanted}`;
    },
  };
}

function toDepth({ instanceLocation, keyword }: OutputUnit): number {
  const composing = /\/(?:allOf|anyOf|oneOf|ref|properties|items|validate)$/.test(keyword) ? 0 : 0.5;
  return instanceLocation.split("/").length + composing;
}

function describe(keyword: string, wanted: unknown, found: unknown): string {
  if (keyword === "required" && Array.isArray(wanted) && isNode(found)) {
    const missing = wanted.filter((name) => typeof name === "string" && !Object.hasOwn(found, name));
    return `it lacks ${missing.map((name) => JSON.stringify(name)).join(", ")}`;
  }
  if (wanted === false || keyword === "validate") return "nothing is allowed there";
  if (keyword === "anyOf" || keyword === "oneOf") return `it does not match ${keyword}`;
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
