import { type EqualItems, EqualValues, findEqualItems } from "../../core/validation/index.js";

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
      const params = isUnique ? findEqual(items, rootData) : undefined;
      validate.errors = params && [{ keyword: "uniqueItems", params }];
      return params === undefined;
    };
    validate.errors = undefined as object[] | undefined;
    return validate;
  },
};

function findEqual(items: readonly unknown[], rootData: object): EqualItems | undefined {
  if (items.length < 2) return undefined;
  const values = equalValues.get(rootData) ?? new EqualValues();
  equalValues.set(rootData, values);
  return findEqualItems(items, values);
}
