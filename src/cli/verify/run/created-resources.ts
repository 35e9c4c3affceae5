import { isNode } from "tenon/core/document";
import type { Operation } from "tenon/core/model";
import { type Exchange, toItems } from "../checks/index.js";
import { isSuccess, toJson } from "../messages/index.js";
import type { Creation } from "./creations.js";

type PathValues = Readonly<Record<string, unknown>>;

/** The path parameters of resources that exist, as far as responses have shown. */
export interface CreatedResources {
  learn(exchange: Exchange): void;
  /** Values of an operation's path parameters that lead to a resource; empty when none is known. */
  choose(operation: Operation, pick: number): PathValues;
}

/** Newer resources are more likely to exist still. */
const MOST = 20;

export function createCreatedResources(creations: readonly Creation[]): CreatedResources {
  /** Parameters by path template: `/pets/{petId}`. */
  const known = new Map<string, PathValues[]>();

  const remember = ({ read, parameter, member }: Creation, resource: unknown, path: PathValues): void => {
    const value = isNode(resource) ? resource[member] : undefined;
    if (typeof value !== "string" && typeof value !== "number") return;
    const list = known.get(read.path) ?? [];
    known.set(read.path, [{ ...path, [parameter]: value }, ...list].slice(0, MOST));
  };

  return {
    learn({ testCase: { operation, value }, response }) {
      if (!isSuccess(response.status)) return;
      const path = value.path ?? {};
      for (const creation of creations) {
        if (operation === creation.create) remember(creation, toJson(response), path);
        if (operation === creation.list && (known.get(creation.read.path)?.length ?? 0) === 0) {
          for (const item of (toItems(toJson(response)) ?? []).slice(0, MOST)) remember(creation, item, path);
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
      // The longest template has the most parameters: that of an owner's pet also identifies the owner.
      const [template] = [...known.keys()]
        .filter((one) => (path === one || path.startsWith(`${one}/`)) && known.get(one)?.length !== 0)
        .sort((a, b) => b.length - a.length);
      const list = template === undefined ? [] : (known.get(template) ?? []);
      return list[pick % Math.max(1, list.length)] ?? {};
    },
  };
}
