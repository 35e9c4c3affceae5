import type { Draft, Expectation, Phase, Wrong } from "./draft.js";
import { isTextAt, toRequests } from "./generate/requests.js";
import { findSites, getAt, replaceAt, type Site } from "./generate/sites.js";
import { findVariants, type Variant } from "./generate/variants.js";
import { sample } from "./random.js";
import type { RequestShape, RequestValue, TargetOperation } from "./target.js";
import type { Trial } from "./trial.js";

type DraftContext = Pick<Trial, "target" | "requests" | "things" | "seed">;

/** Where the validator finds some values wrong, this many more are looked at for each that is wanted. */
const OVERSAMPLING = 3;

/** Valid requests of one shape, the same for the same seed. Empty when none can be made. */
export function makeValid(
  operation: TargetOperation,
  shape: RequestShape,
  { phase, count, full = false }: { readonly phase: Phase; readonly count: number; readonly full?: boolean },
  context: DraftContext,
): readonly Draft[] {
  const values = toRequests(shape, context.target, full);
  if (values === undefined) return [];
  const name = [operation.id, shape.mediaType ?? "", phase, String(full)];
  const isValid = (value: RequestValue) => context.requests.find(shape.schema, value) === undefined;
  const first = sample(values, count, context.seed, ...name).filter(isValid);
  const more =
    first.length === count
      ? []
      : sample(values, count * OVERSAMPLING, context.seed, ...name, "more").filter(isValid);
  return [...first, ...more].slice(0, count).map((value, index) => {
    const draft: Draft = { operation, shape, value, expectation: "accepted", phase };
    return withKnownPath(draft, index, context);
  });
}

/** Leads a request to something that exists, where anything is known to. */
export function withKnownPath(
  draft: Draft,
  pick: number,
  { things, requests }: Pick<DraftContext, "things" | "requests">,
): Draft {
  const known = things.choose(draft.operation, pick);
  const value = { ...draft.value, path: { ...draft.value.path, ...known } };
  const isBetter = Object.keys(known).length > 0 && requests.find(draft.shape.schema, value) === undefined;
  return isBetter ? { ...draft, value } : draft;
}

/** Requests that differ from a valid one at one place, which is then at a limit of the contract or past it. */
export function* varyAt(base: Draft, context: DraftContext): Generator<Draft & { readonly wrong: Wrong }> {
  const { target, requests } = context;
  for (const site of findSites(target.requests.get(base.shape.schema), base.value, target.requests)) {
    const isText = isTextAt(site.path, base);
    for (const variant of findVariants(site, isText)) {
      const varied =
        isPossible(site, variant) && !isInFile(site, base) ? apply(base, site, variant) : undefined;
      if (varied === undefined) continue;
      const isValid = requests.find(base.shape.schema, varied.value) === undefined;
      if (isValid !== (varied.expectation === "accepted")) continue;
      if (isValid || !isText || !isValidText(varied, context)) yield varied;
    }
  }
}

/** How long a file is, is a matter of bytes, and of its format. */
function isInFile({ path: [place, name] }: Site, { operation, shape }: Draft): boolean {
  const content = operation.body?.content.find(({ mediaType }) => mediaType === shape.mediaType);
  return place === "body" && typeof name === "string" && Object.hasOwn(content?.files ?? {}, name);
}

/** Whether a value is right once it is read as the text that it is written as: 1.5 where a text is allowed too. */
function isValidText(
  { shape, value, wrong }: Draft & { readonly wrong: Wrong },
  { requests }: DraftContext,
): boolean {
  const given = getAt(value, wrong.path);
  const text = typeof given === "number" || typeof given === "boolean" ? String(given) : given;
  return requests.find(shape.schema, replaceAt(value, wrong.path, text)) === undefined;
}

function apply(
  base: Draft,
  { path }: Site,
  { value, keyword, valid }: Variant,
): Draft & { readonly wrong: Wrong } {
  const expectation: Expectation = valid ? "accepted" : "refused";
  const varied = replaceAt(base.value, path, value) as RequestValue;
  return { ...base, value: varied, expectation, wrong: { path, keyword } };
}

/** Whether a request with a variant can be sent at all: its parts themselves are no values, and a path needs all of its own. */
function isPossible({ path }: Site, { keyword }: Variant): boolean {
  const [place] = path;
  if (place === undefined) return keyword === "required body" || keyword === "optional body";
  if (place === "body" || path.length > 1) return true;
  return place !== "path" && /^(?:required|optional)/.test(keyword);
}
