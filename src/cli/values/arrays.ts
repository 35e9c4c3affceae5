import fc, { type Arbitrary } from "fast-check";
import { intersect, type FlatSchema } from "./flatten.js";
import { isGenerous, type MakeValues, type Place } from "./place.js";

/** Items of an array whose length is not limited. */
const USUAL_ITEMS = 3;

/** Candidates per item of an array whose items must differ. */
const TRIES = 4;

/** Makes arrays of a schema; undefined when a required item has no value. */
export function toArrays(flat: FlatSchema, place: Place, make: MakeValues): Arbitrary<unknown> | undefined {
  const { pointer, minItems = 0, maxItems = Infinity, prefixItems = [], contains, uniqueItems } = flat;
  const { items = { pointer } } = flat;
  if (minItems > maxItems) return undefined;
  const inside = { ...place, left: place.left - 1 };
  const wanted = isGenerous(place) ? Math.max(minItems, prefixItems.length, 1) : minItems;
  const first = [...prefixItems, ...(contains === undefined ? [] : [intersect([contains, items])])]
    .slice(0, Math.min(maxItems, Math.max(wanted, contains === undefined ? 0 : prefixItems.length + 1)))
    .map((item) => make(item, inside));
  const start = first.filter((item) => item !== undefined);
  if (start.length < first.length) return minItems > 0 ? undefined : fc.constant([]);

  const least = Math.max(0, wanted - start.length);
  const usual = isGenerous(place) ? USUAL_ITEMS : 0;
  const most = Math.min(maxItems - start.length, Math.max(least, usual - start.length));
  const item = items.never || most <= 0 ? undefined : make(items, inside);
  const missing = minItems - start.length;
  if (item === undefined) return missing > 0 ? undefined : fc.tuple(...start);
  const rest =
    uniqueItems === true ? toSet(item, least, most) : fc.array(item, { minLength: least, maxLength: most });
  return fc.tuple(fc.tuple(...start), rest).map(([head, tail]) => [...head, ...tail]);
}

/** Makes items that differ, chosen among more candidates: the schema may allow fewer values than it requires. */
function toSet(item: Arbitrary<unknown>, least: number, most: number): Arbitrary<readonly unknown[]> {
  const many = fc.array(item, { minLength: least * TRIES, maxLength: most * TRIES });
  return fc.tuple(many, fc.integer({ min: least, max: most })).map(([all, count]) => {
    const different = new Map(all.map((one) => [JSON.stringify(one), one]));
    return [...different.values()].slice(0, count);
  });
}
