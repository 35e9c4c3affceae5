import { EqualValues } from "./equal-values.js";

/** The values of each request body or response, which has the lists. */
const equalValues = new WeakMap<object, EqualValues>();

/** Definition of the keyword for the validator, whose own compares each item with each other one that is an object or array. */
export const UNIQUE_ITEMS = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  errors: true,
  compile: (isUnique: boolean) => {
    const validate = (items: readonly unknown[], { rootData }: { readonly rootData: object }): boolean => {
      const params = isUnique ? findEqualItems(items, rootData) : undefined;
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
function findEqualItems(
  items: readonly unknown[],
  rootData: object,
): { readonly i: number; readonly j: number } | undefined {
  if (items.length < 2) return undefined;
  const values = equalValues.get(rootData) ?? new EqualValues();
  equalValues.set(rootData, values);
  const seen = new Map<string, number>();
  let found: { readonly i: number; readonly j: number } | undefined;
  for (const [i, item] of items.entries()) {
    const text = values.toText(item);
    const j = seen.get(text);
    if (j !== undefined) found = { i, j };
    seen.set(text, i);
  }
  return found;
}
