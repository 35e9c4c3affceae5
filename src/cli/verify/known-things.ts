import type { Exchange } from "./checks/check.js";
import { isSuccess, toJson } from "./checks/check.js";
import { toItems } from "./checks/limit.js";
import type { Creation } from "./creations.js";
import { isObject } from "../values/schema.js";
import type { TargetOperation } from "./target.js";

type PathValues = Readonly<Record<string, unknown>>;

/** Things that exist, as far as answers have told: the path parameters that lead to them. */
export interface KnownThings {
  learn(exchange: Exchange): void;
  /** Values of an operation's path parameters that lead to something, as far as any are known. */
  choose(operation: TargetOperation, pick: number): PathValues;
}

/** Newer ones are likelier to be there still. */
const MOST = 20;

export function createKnownThings(creations: readonly Creation[]): KnownThings {
  /** By path template: `/pets/{petId}`. */
  const known = new Map<string, PathValues[]>();

  const remember = ({ read, parameter, member }: Creation, thing: unknown, path: PathValues): void => {
    const value = isObject(thing) ? thing[member] : undefined;
    if (typeof value !== "string" && typeof value !== "number") return;
    const list = known.get(read.path) ?? [];
    known.set(read.path, [{ ...path, [parameter]: value }, ...list].slice(0, MOST));
  };

  return {
    learn({ draft: { operation, value }, answer }) {
      if (!isSuccess(answer.status)) return;
      const path = value.path ?? {};
      for (const creation of creations) {
        if (operation === creation.create) remember(creation, toJson(answer), path);
        if (operation === creation.list && (known.get(creation.read.path)?.length ?? 0) === 0) {
          for (const item of (toItems(toJson(answer)) ?? []).slice(0, MOST)) remember(creation, item, path);
        }
        if (operation.method === "delete" && operation.path === creation.read.path) {
          const left = (known.get(operation.path) ?? []).filter(
            (values) => values[creation.parameter] !== path[creation.parameter],
          );
          known.set(operation.path, left);
        }
      }
    },
    choose({ path }, pick) {
      // The longest template knows most: that of a pet of an owner also says whose.
      const [template] = [...known.keys()]
        .filter((one) => (path === one || path.startsWith(`${one}/`)) && known.get(one)?.length !== 0)
        .sort((a, b) => b.length - a.length);
      const list = template === undefined ? [] : (known.get(template) ?? []);
      return list[pick % Math.max(1, list.length)] ?? {};
    },
  };
}
