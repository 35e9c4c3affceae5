import { toMediaKind } from "tenon/core/http";
import type { SchemaView } from "../../values/index.js";
import { type Constraint, listFiles, type RequestValue, type TestCase } from "../messages/index.js";
import type { Validator } from "../validator.js";
import { findSites, getAt, isTextAt, replaceAt, type Site } from "./sites.js";
import type { CaseContext } from "./valid-cases.js";
import { findVariants, type Variant } from "./variants.js";

type Varied = TestCase & { readonly constraint: Constraint };

/** Makes requests that differ from a valid one in one part, whose value is at a limit of the contract or past it. */
export function* varyParts(base: TestCase, { requests }: Pick<CaseContext, "requests">): Generator<Varied> {
  for (const site of findSites(base.shape.schema, base.value, requests)) {
    const isText = isTextAt(site.path, base);
    for (const variant of findVariants(site, isText)) {
      const varied =
        isPossible(site, variant) && !isInFile(site, base) ? apply(base, site, variant) : undefined;
      if (varied === undefined) continue;
      const isValid = requests.find(base.shape.schema, varied.value) === undefined;
      if (isValid !== (varied.expectation === "accepted")) continue;
      if (isValid || !isText || !isValidText(varied, requests)) yield varied;
    }
  }
}

/** The limits of a file concern its bytes and its format. */
function isInFile({ path: [location, name] }: Site, { shape: { mediaType } }: TestCase): boolean {
  if (location !== "body" || typeof name !== "string" || mediaType === undefined) return false;
  return listFiles(mediaType).has(name);
}

/** Tests whether the serialized value is still valid: 1.5 is, where a string is allowed too. */
function isValidText({ shape, value, constraint: { path } }: Varied, requests: Validator): boolean {
  const given = getAt(value, path);
  const text = typeof given === "number" || typeof given === "boolean" ? String(given) : given;
  return requests.find(shape.schema, replaceAt(value, path, text)) === undefined;
}

function apply(base: TestCase, { path }: Site, { value, keyword, valid }: Variant): Varied {
  const varied = replaceAt(base.value, path, value) as RequestValue;
  return {
    ...base,
    value: varied,
    expectation: valid ? "accepted" : "refused",
    constraint: { path, keyword },
  };
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
  const { name } = shape.mediaType;
  const withRaw = (keyword: string, contentType: string, text: string): TestCase => ({
    ...testCase,
    expectation: "refused",
    constraint: { path: ["body"], keyword },
    raw: { contentType, text },
  });
  const isJson = toMediaKind(name) === "json";
  const isOpen = operation.requestBody?.mediaTypes.some((declared) => declared.name.includes("*")) ?? false;
  const text = isJson ? JSON.stringify(value.body) : "surely=not";
  return [
    ...(isJson ? [withRaw("malformed JSON", name, `${text.slice(0, -1) || "{"},,`)] : []),
    ...(isOpen ? [] : [withRaw("undeclared media type", "application/x-surely-not-declared", text)]),
  ];
}
