import { isNode } from "tenon/core/document";
import { isSame, type JsonType } from "tenon/core/schema";
import { isOfType, type SchemaView, toIntegerRange } from "../../values/index.js";
import { REQUEST_FORMATS } from "../formats.js";
import {
  type Constraint,
  listFiles,
  type RequestValue,
  type TestCase,
  UNDECLARED,
} from "../messages/index.js";
import type { Validator } from "../validator.js";
import { findSites, getAt, isJson, isTextAt, replaceAt, type Site, toSent } from "./sites.js";
import { type CaseContext, toSeed } from "./valid-cases.js";

type Varied = TestCase & { readonly constraint: Constraint };

/** Makes requests that differ from a valid one in one part, whose value is at a limit of the contract or past it. */
export function* varyParts(base: TestCase, { requests }: Pick<CaseContext, "requests">): Generator<Varied> {
  for (const site of findSites(base.shape.schema, base.value, requests)) {
    const isText = isTextAt(site.path, base);
    for (const variant of findVariants(site, isText)) {
      if (!isPossible(site, variant) || isInFile(site, base) || isSequence(site, base)) continue;
      const { value, keyword, valid } = variant;
      const varied: Varied = moveItem({
        ...base,
        value: replaceAt(base.value, site.path, value) as RequestValue,
        expectation: valid ? "accepted" : "refused",
        constraint: { path: site.path, keyword },
      });
      const isValidRequest = (value: RequestValue) => requests.find(base.shape.schema, value) === undefined;
      if (isValidRequest(varied.value) !== valid) continue;
      if (isValidRequest(toSent(varied.value, base)) !== valid) continue;
      if (isFormat(varied) && !breaksFormatOnly(varied, requests)) continue;
      if (valid || !isText || !isValidText(varied, requests)) yield varied;
    }
  }
}

/** A stream of items as a whole has no type or length. */
function isSequence({ path }: Site, { shape: { mediaType } }: TestCase): boolean {
  return mediaType?.items !== undefined && path.length === 1 && path[0] === "body";
}

/** Moves the varied item, which is the first, to any place in the stream: a service may only check the first ones. */
function moveItem(varied: Varied): Varied {
  const { constraint, shape, value } = varied;
  const [location, index, ...path] = constraint.path;
  const { items } = shape.mediaType ?? {};
  if (items === undefined || items.parts || location !== "body" || index !== 0) return varied;
  const [item, ...others] = value.body as readonly unknown[];
  const place = Math.abs(toSeed(path.length, `${path.join()} ${constraint.keyword}`)) % (others.length + 1);
  return {
    ...varied,
    value: { ...value, body: others.toSpliced(place, 0, item) },
    constraint: { ...constraint, path: [location, place, ...path] },
  };
}

/** The limits of a file concern its bytes and its format. */
function isInFile({ path: [location, name] }: Site, { shape: { mediaType } }: TestCase): boolean {
  if (location !== "body" || typeof name !== "string" || mediaType === undefined) return false;
  return listFiles(mediaType).has(name);
}

const isFormat = ({ constraint: { keyword } }: Varied): boolean => keyword.startsWith("format ");

/** Tests whether a request is valid to a service that ignores formats. */
function breaksFormatOnly({ shape: { schema }, value }: Varied, requests: Validator): boolean {
  return requests.list(schema, value).every(({ keyword }) => keyword === "format");
}

/** Tests whether the serialized value is still valid: 1.5 is, where a string is allowed too. */
function isValidText({ shape, value, constraint: { path } }: Varied, requests: Validator): boolean {
  const given = getAt(value, path);
  const text = typeof given === "number" || typeof given === "boolean" ? String(given) : given;
  return requests.find(shape.schema, replaceAt(value, path, text)) === undefined;
}

/** Tests whether a request with a variant can be sent: groups of parameters are not values, and a path needs all its parameters. */
function isPossible({ path }: Site, { keyword }: Variant): boolean {
  const [location] = path;
  if (location === undefined) return keyword === "required body" || keyword === "optional body";
  if (location === "body" || path.length > 1) return true;
  return location !== "path" && /^(?:required|optional)/.test(keyword);
}

/**
 * Makes requests with one value that services often fail for, whatever the contract says of it: a text with NUL, half of a
 * surrogate pair, an integer that no double or database column holds. The service may accept or refuse them.
 */
export function* withOddValues(testCase: TestCase, view: SchemaView): Generator<TestCase> {
  const { shape, value } = testCase;
  for (const site of findSites(shape.schema, value, view)) {
    for (const odd of toOddValues(site)) {
      const changed = replaceAt(value, site.path, odd) as TestCase["value"];
      yield { ...testCase, value: changed, expectation: "open" };
    }
  }
}

function toOddValues({ path, schema, value }: Site): readonly unknown[] {
  if (path.length < 2 && path[0] !== "body") return [];
  if (typeof value === "number" && Number.isInteger(value))
    return [2 ** 53, 2 ** 63, -(2 ** 63) - 2 ** 12, 1e26];
  if (typeof value !== "string" || schema.enum !== undefined || path[0] === "header") return [];
  // Many proxies refuse the others in a path before the service receives them.
  return path[0] === "path" ? ["%"] : [`a\u{0}b`, "\u{D800}", "' OR 1=1 --"];
}

/** Breaks the body of a valid request: it is not of its media type, or of an undeclared one. */
export function breakBody(testCase: TestCase): readonly TestCase[] {
  const { shape, value, operation } = testCase;
  if (shape.mediaType === undefined || value.body === undefined) return [];
  const { name, items } = shape.mediaType;
  const withRaw = (keyword: string, contentType: string, text: string): TestCase => ({
    ...testCase,
    expectation: "refused",
    constraint: { path: ["body"], keyword },
    raw: { contentType, text },
  });
  const isOpen = operation.requestBody?.mediaTypes.some((declared) => declared.name.includes("*")) ?? false;
  const values = items ? (value.body as readonly unknown[]) : [value.body];
  const texts = values.map((one) => JSON.stringify(one));
  const start = items?.format === "records" ? "\u001E" : "";
  const broken = toBroken(texts).map((text) => `${start}${text}`);
  const text = isJson(shape.mediaType) ? texts.join("\n") : "surely=not";
  return [
    ...(isJson(shape.mediaType) ? [withRaw("malformed JSON", name, broken.join("\n"))] : []),
    ...(isOpen ? [] : [withRaw("undeclared media type", "application/x-surely-not-declared", text)]),
  ];
}

/** Breaks one of several JSON texts. */
function toBroken(texts: readonly string[]): readonly string[] {
  const place = Math.floor(texts.length / 2);
  const text = texts[place] ?? "";
  return texts.toSpliced(place, 1, `${text.slice(0, -1) || "{"},,`);
}

/** Another value for a part of a request. */
interface Variant {
  /** Undefined removes the part. */
  readonly value: unknown;
  /** The keyword whose limit the value has, or that it violates. */
  readonly keyword: string;
  readonly valid: boolean;
}

/** Longer texts and lists test the server's limits rather than the contract. */
const MAX_TRIED = 4096;

/**
 * Finds values at the limits of a schema and just past them. Past a limit of a value that is written as text, as in a query, are
 * only those that no parser could take for something else.
 */
function findVariants(site: Site, isText: boolean): readonly Variant[] {
  return [ofType, ofEnum, ofNumber, ofString, ofFormat, ofArray, ofObject]
    .flatMap((listVariants) => [...listVariants(site, isText)])
    .filter((variant) => !isSame(variant.value, site.value));
}

/** One value of each type, invalid where the type is not allowed. */
const OF_TYPES: Readonly<Record<JsonType, unknown>> = {
  string: "surely-no-other-type",
  integer: 42,
  number: 1.5,
  boolean: true,
  object: { surely: "not" },
  array: ["surely-not"],
  null: null,
};

function* ofType({ schema: { type: types } }: Site, isText: boolean): Generator<Variant> {
  if (types === undefined) return;
  // In a parameter, every text is also a list with one item.
  if (isText && (types.includes("array") || types.includes("object"))) return;
  const others = isText ? (["string"] as const) : (Object.keys(OF_TYPES) as JsonType[]);
  for (const type of others) {
    const value = OF_TYPES[type];
    if (!types.some((one) => isOfType(value, one))) yield { value, keyword: "type", valid: false };
  }
  if (!isText && types.includes("null")) yield { value: null, keyword: "type", valid: true };
}

function* ofEnum({ schema: { enum: values }, value }: Site): Generator<Variant> {
  if (values === undefined) return;
  for (const one of values) yield { value: one, keyword: "enum", valid: true };
  if (typeof value === "string") yield { value: "surely-not-one-of-them", keyword: "enum", valid: false };
  else if (typeof value === "number") yield { value: 987_654_321, keyword: "enum", valid: false };
}

function* ofNumber({ schema, value }: Site, isText: boolean): Generator<Variant> {
  if (typeof value !== "number" || schema.enum !== undefined) return;
  const isInteger = schema.type?.includes("integer") === true && !schema.type.includes("number");
  const step = schema.multipleOf ?? (isInteger ? 1 : 0.01);
  const round = (number: number) => Number(number.toPrecision(15));
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  for (const [keyword, limit, within, past] of [
    ["minimum", minimum, 0, -step],
    ["maximum", maximum, 0, step],
    ["exclusiveMinimum", exclusiveMinimum, step, 0],
    ["exclusiveMaximum", exclusiveMaximum, -step, 0],
  ] as const) {
    if (limit === undefined) continue;
    const add = (gap: number) => (gap === 0 ? limit : round(limit + gap));
    yield { value: add(within), keyword, valid: true };
    yield { value: add(past), keyword, valid: false };
  }
  if (multipleOf !== undefined)
    yield { value: round(value + multipleOf / 2), keyword: "multipleOf", valid: false };
  if (!isInteger) return;
  const { min, max } = toIntegerRange(schema);
  for (const limit of [min, max, 0]) yield { value: limit, keyword: schema.format ?? "type", valid: true };
  // Parsers that stop at the decimal point accept the text `1.5` as an integer.
  if (isText) yield { value: 1.5, keyword: "type", valid: false };
}

function* ofString({ schema, value }: Site, isText: boolean): Generator<Variant> {
  if (typeof value !== "string" || schema.enum !== undefined) return;
  const { minLength, maxLength, pattern, format } = schema;
  const resize = (length: number) => Array.from(value.padEnd(length, "x")).slice(0, length).join("");
  // A format or pattern may restrict the length; a validator checks that.
  const free = pattern === undefined && format === undefined;
  for (const variant of ofLength({ minLength, maxLength }, resize, isText ? 1 : 0))
    if (free || !variant.valid) yield variant;
  if (pattern !== undefined) {
    for (const wrong of ["surely no match", "x", "0", `${value}!`, `!${value}`]) {
      yield { value: wrong, keyword: "pattern", valid: false };
    }
  }
  if (!isText && free) yield { value: "", keyword: "minLength", valid: true };
}

function* ofFormat({ schema: { format = "", enum: values }, value }: Site): Generator<Variant> {
  if (values !== undefined) return;
  for (const invalid of REQUEST_FORMATS.get(format)?.invalid ?? [])
    if (typeof invalid === typeof value) yield { value: invalid, keyword: `format ${format}`, valid: false };
}

function* ofArray({ schema, value }: Site, isText: boolean): Generator<Variant> {
  if (!Array.isArray(value) || value.length === 0) return;
  const items: readonly unknown[] = value;
  const { minItems, maxItems, uniqueItems } = schema;
  const resize = (length: number) => Array.from({ length }, (_, index) => items[index % items.length]);
  for (const variant of ofLength({ minItems, maxItems }, resize, isText ? 1 : 0))
    if (minItems !== 0 || !isText || variant.keyword === "maxItems") yield variant;
  if (uniqueItems === true) yield { value: [...items, items[0]], keyword: "uniqueItems", valid: false };
}

/**
 * @param limits By keyword, the least length first.
 * @param shortest Length that has no shorter one: an empty text in a URL is an absent one.
 */
function* ofLength(
  limits: Readonly<Record<string, number | undefined>>,
  resize: (length: number) => unknown,
  shortest: number,
): Generator<Variant> {
  for (const [keyword, limit] of Object.entries(limits)) {
    if (limit === undefined || limit > MAX_TRIED) continue;
    const isLeast = keyword.startsWith("min");
    yield { value: resize(limit), keyword, valid: true };
    if (!isLeast || limit > shortest)
      yield { value: resize(isLeast ? limit - 1 : limit + 1), keyword, valid: false };
  }
}

function* ofObject({ path, schema, value }: Site, isText: boolean): Generator<Variant> {
  if (!isNode(value)) return;
  const { required = [], additionalProperties, minProperties, maxProperties } = schema;
  // Many parsers refuse a multipart form without a part, whatever is required.
  const isForm = path.length === 1 && isText && additionalProperties === undefined;
  const rest = isForm && path[0] === "body" ? { [UNDECLARED]: "1" } : {};
  for (const name of Object.keys(value)) {
    const keyword = required.includes(name) ? `required ${name}` : `optional ${name}`;
    const left = Object.entries(value).filter(([other]) => other !== name);
    const valid = !required.includes(name);
    yield { value: left.length > 0 || valid ? Object.fromEntries(left) : rest, keyword, valid };
  }
  if (additionalProperties?.never) {
    yield { value: { ...value, [UNDECLARED]: 1 }, keyword: "additionalProperties", valid: false };
  }
  const names = Object.keys(value).filter((name) => !required.includes(name));
  if (names.length > 1) {
    const least = Object.fromEntries(required.map((name) => [name, value[name]]));
    yield { value: least, keyword: "required", valid: true };
  }
  if (minProperties !== undefined && minProperties > 0)
    yield { value: {}, keyword: "minProperties", valid: false };
  if (maxProperties !== undefined && maxProperties < 100) {
    const extra = Object.fromEntries(
      Array.from({ length: maxProperties + 1 }, (_, index) => [`surely${index}`, 1]),
    );
    yield { value: { ...extra, ...value }, keyword: "maxProperties", valid: false };
  }
}
