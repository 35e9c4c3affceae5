import { getMember, parsePointer } from "tenon/core/document/pointer";
import { registerSchema, unregisterSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import type { SchemaBook } from "../../values/book.js";
import { isObject } from "../../values/schema.js";

/** What is wrong with a value, at the first place where something is. */
export interface Fault {
  /** JSON pointer into the value; "" is the whole. */
  readonly at: string;
  readonly keyword: string;
  /** `"/limit" is 101; maximum is 100` */
  readonly message: string;
}

/** Says whether values are what the schemas of a book want. One file knows the validator. */
export interface Judge {
  /** @returns undefined when the value is valid. Schemas that were not prepared throw. */
  find(key: string, value: unknown): Fault | undefined;
  /** Everything that is wrong. */
  list(key: string, value: unknown): readonly Fault[];
  /** Compiles schemas; {@link find} wants them. */
  prepare(keys: Iterable<string>): Promise<void>;
  /** The validator keeps its schemas for the whole process. */
  close(): void;
}

let count = 0;

export function createJudge(book: SchemaBook): Judge {
  const id = `https://tenon.invalid/${book.side}/${(count += 1)}`;
  const document = { $defs: Object.fromEntries(book.schemas) };
  registerSchema(
    document as Parameters<typeof registerSchema>[0],
    id,
    "https://json-schema.org/draft/2020-12/schema",
  );
  const compiled = new Map<string, Awaited<ReturnType<typeof validate>>>();
  const judge = (key: string, value: unknown): readonly OutputUnit[] | undefined => {
    const isValid = compiled.get(key);
    if (isValid === undefined) throw new Error(`Schema ${key} was not prepared`);
    const output = isValid(value as Parameters<typeof isValid>[0], "BASIC");
    return output.valid ? undefined : (output.errors ?? []);
  };
  return {
    async prepare(keys) {
      for (const key of keys) {
        if (!compiled.has(key)) compiled.set(key, await validate(`${id}#/$defs/${key}`));
      }
    },
    find(key, value) {
      const errors = judge(key, value);
      return errors && toFault(errors, value, document);
    },
    list(key, value) {
      return groupByFault(judge(key, value) ?? []).map((errors) => toFault(errors, value, document));
    },
    close: () => {
      unregisterSchema(id);
    },
  };
}

interface OutputUnit {
  readonly keyword: string;
  readonly absoluteKeywordLocation: string;
  readonly instanceLocation: string;
}

/** Each error is a fault; where no alternative matches, what is wrong within the value belongs to that. */
function groupByFault(errors: readonly OutputUnit[]): readonly (readonly OutputUnit[])[] {
  const choices = errors
    .filter(({ keyword }) => /\/(?:anyOf|oneOf)$/.test(keyword))
    .map(({ instanceLocation }) => instanceLocation)
    .sort((a, b) => a.length - b.length);
  const groups = new Map<string, OutputUnit[]>();
  for (const error of errors) {
    const { instanceLocation: place, absoluteKeywordLocation: keyword } = error;
    const choice = choices.find((one) => place === one || place.startsWith(`${one}/`));
    const key = choice ?? `${place} ${keyword}`;
    groups.set(key, [...(groups.get(key) ?? []), error]);
  }
  return [...groups.values()];
}

/** The deepest place says most: what contains it is wrong because of it. */
function toFault(errors: readonly OutputUnit[], value: unknown, document: object): Fault {
  const [first] = [...errors].sort((a, b) => toDepth(b) - toDepth(a));
  if (first === undefined) return { at: "", keyword: "", message: "is not valid" };
  const at = decodeURIComponent(first.instanceLocation.replace(/^[^#]*#/, ""));
  const keyword = first.keyword.slice(first.keyword.lastIndexOf("/") + 1);
  const describeFault = () => {
    const [, fragment = ""] = first.absoluteKeywordLocation.split("#");
    const found = parsePointer(at).reduce<unknown>(getMember, value);
    const wanted = describe(keyword, parsePointer(fragment).reduce<unknown>(getMember, document), found);
    return `${at === "" ? "The value" : `"${at}"`} is ${show(found)}; ${wanted}`;
  };
  // Most faults are looked for, and nobody reads of them.
  return {
    at,
    keyword,
    get message() {
      return describeFault();
    },
  };
}

function toDepth({ instanceLocation, keyword }: OutputUnit): number {
  const composing = /\/(?:allOf|anyOf|oneOf|ref|properties|items|validate)$/.test(keyword) ? 0 : 0.5;
  return instanceLocation.split("/").length + composing;
}

function describe(keyword: string, wanted: unknown, found: unknown): string {
  if (keyword === "required" && Array.isArray(wanted) && isObject(found)) {
    const missing = wanted.filter((name) => typeof name === "string" && !Object.hasOwn(found, name));
    return `it lacks ${missing.map((name) => JSON.stringify(name)).join(", ")}`;
  }
  if (wanted === false || keyword === "validate") return "nothing is allowed there";
  if (keyword === "anyOf" || keyword === "oneOf") return `it does not match ${keyword}`;
  return `the contract says ${keyword} ${show(wanted)}`;
}

const SHOWN = 100;

function show(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
