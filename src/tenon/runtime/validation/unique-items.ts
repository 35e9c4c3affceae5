/** Definition of the keyword for the validator, whose own compares each item with each other one that is an object or array. */
export const UNIQUE_ITEMS = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  errors: true,
  compile: (isUnique: boolean) => {
    const validate = (items: readonly unknown[]): boolean => {
      const params = isUnique ? findEqualItems(items) : undefined;
      validate.errors = params && [{ keyword: "uniqueItems", params }];
      return params === undefined;
    };
    validate.errors = undefined as object[] | undefined;
    return validate;
  },
};

/**
 * Finds two equal items in time that grows with the size of the array, whatever the items are.
 * @returns the last item that is equal to an earlier one, `i`, and the nearest one before it, `j`.
 */
export function findEqualItems(
  items: readonly unknown[],
): { readonly i: number; readonly j: number } | undefined {
  if (items.length < 2) return undefined;
  const seen = new Map<string, number>();
  let found: { readonly i: number; readonly j: number } | undefined;
  for (const [i, item] of items.entries()) {
    const text = toCanonicalText(item);
    const j = seen.get(text);
    if (j !== undefined) found = { i, j };
    seen.set(text, i);
  }
  return found;
}

/**
 * Writes a JSON value so that equal values have equal texts. Numbers have a prefix: V8 hashes texts such as `12` without a secret,
 * so that a caller could choose texts with equal hashes.
 */
function toCanonicalText(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return `=${String(value)}`;
  if (Array.isArray(value) && !value.some(isObject)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toCanonicalText).join()}]`;
  if (value instanceof Date) return toCanonicalText(value.toJSON());
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${toCanonicalText(member)}`,
  );
  return `{${members.sort().join()}}`;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
