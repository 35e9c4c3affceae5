import type { Operation } from "tenon/core/model";
import {
  type Constraint,
  listFiles,
  type Phase,
  type RequestShape,
  type RequestValue,
  type TestCase,
} from "../messages/index.js";
import type { Validator } from "../validator.js";
import { isTextAt, toRequests } from "./make-requests.js";
import { sample } from "./sample.js";
import { findSites, getAt, replaceAt, type Site } from "./sites.js";
import { findVariants, type Variant } from "./variants.js";

/** The inputs for making test cases. */
export interface CaseContext {
  readonly requests: Validator;
  /** Values of an operation's path parameters that lead to something that exists. */
  readonly resources: {
    choose(operation: Operation, pick: number): Readonly<Record<string, unknown>>;
  };
  readonly seed: number;
}

/** Candidates per test case, because the validator may reject some. */
const OVERSAMPLING = 3;

/** Makes valid requests of one shape, the same for the same seed. Empty when none can be made. */
export function makeValid(
  operation: Operation,
  shape: RequestShape,
  { phase, count, full = false }: { readonly phase: Phase; readonly count: number; readonly full?: boolean },
  context: CaseContext,
): readonly TestCase[] {
  const values = toRequests(shape, context.requests, full);
  if (values === undefined) return [];
  const name = [operation.id, shape.mediaType?.name ?? "", phase, String(full)];
  const isValid = (value: RequestValue) => context.requests.find(shape.schema, value) === undefined;
  const first = sample(values, count, context.seed, ...name).filter(isValid);
  const more =
    first.length === count
      ? []
      : sample(values, count * OVERSAMPLING, context.seed, ...name, "more").filter(isValid);
  return [...first, ...more].slice(0, count).map((value, index) => {
    const testCase: TestCase = { operation, shape, value, expectation: "accepted", phase };
    return withKnownPath(testCase, index, context);
  });
}

/** Gives a request the path of something that exists, if any is known. */
export function withKnownPath(
  testCase: TestCase,
  pick: number,
  { resources, requests }: Pick<CaseContext, "resources" | "requests">,
): TestCase {
  const known = resources.choose(testCase.operation, pick);
  const value = { ...testCase.value, path: { ...testCase.value.path, ...known } };
  const isBetter = Object.keys(known).length > 0 && requests.find(testCase.shape.schema, value) === undefined;
  return isBetter ? { ...testCase, value } : testCase;
}

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
