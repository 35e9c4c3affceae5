import type { Document } from "@redocly/openapi-core";
import {
  type ContractProblemCode,
  createProblem,
  getByPointer,
  getOwn,
  isNode,
  joinPointer,
  type Node,
  parsePointer,
  type Problem,
  toArray,
  toNode,
  toText,
} from "tenon/core/document";
import { checkOverlay } from "./check-overlay.js";
import { MAX_REPEATED, MAX_REPEATED_TEXT } from "./expansion.js";
import { JsonPaths, StepsError } from "./json-path.js";
import { setChanged, toPosition, type WrittenPlace as Place } from "./locate.js";

type Container = Record<string, unknown> | unknown[];

/** A value that a JSONPath selects. The root has no owner. */
interface Selected {
  readonly owner: Container | undefined;
  readonly key: string;
  readonly value: unknown;
  readonly pointer: string;
}

/** An action that cannot be applied. */
class ActionError extends Error {
  override readonly name = "ActionError";

  constructor(
    message: string,
    /** The member of the action to report. */
    readonly member: "target" | "update" | "copy",
    readonly code: ContractProblemCode = "overlay-invalid",
  ) {
    super(message);
  }
}

/**
 * Applies overlays to a document, in place and in their order. From then on, {@link toPosition} finds the values that came from an
 * overlay there.
 * @returns errors, after which the document must not be used, and warnings.
 * @see https://spec.openapis.org/overlay/v1.1.0
 */
export function applyOverlays(document: Document, overlays: readonly Document[]): readonly Problem[] {
  if (overlays.length === 0 || !isNode(document.parsed)) return [];
  const overlaid = new OverlaidDocument(document);
  setChanged(document.source, overlaid);
  return overlays.flatMap((overlay) => {
    const problems = checkOverlay(overlay);
    return problems.length > 0 ? problems : overlaid.apply(overlay);
  });
}

class OverlaidDocument {
  readonly #document: Document;
  /** The places of members that are not written where their owners are. */
  readonly #moved = new Map<object, Map<string, Place>>();
  readonly #paths = new JsonPaths();
  readonly #added = { objects: 0, text: 0 };

  constructor(document: Document) {
    this.#document = document;
    this.#separateAliases(document.parsed as Container, "#", new Map());
    Object.assign(this.#added, { objects: 0, text: 0 });
  }

  find(pointer: string): Place {
    let value: unknown = this.#document.parsed;
    let place: Place = { source: this.#document.source, pointer: "#" };
    for (const key of parsePointer(pointer)) {
      place = this.#step(place, value, key);
      value = typeof value === "object" && value !== null ? getOwn(value, key) : undefined;
    }
    return place;
  }

  list(pointer: string): readonly Place[] {
    const places = [this.find(pointer)];
    const visit = (value: unknown) => {
      if (typeof value !== "object" || value === null) return;
      for (const [key, child] of Object.entries(value)) {
        const place = this.#moved.get(value)?.get(key);
        if (place !== undefined) places.push(place);
        visit(child);
      }
    };
    visit(getByPointer(toNode(this.#document.parsed), pointer));
    return places;
  }

  apply({ source, parsed }: Document): Problem[] {
    return toArray(toNode(parsed)["actions"]).flatMap((action, index) => {
      const place = { source, pointer: joinPointer("#", "actions", index) };
      try {
        return this.#run(toNode(action), place);
      } catch (error) {
        if (!(error instanceof ActionError)) throw error;
        const position = toPosition({ source, pointer: joinPointer(place.pointer, error.member) });
        return createProblem(error.code, error.message, position);
      }
    });
  }

  #run(action: Node, place: Place): Problem[] {
    const targets = this.#select(action, "target");
    if (targets.length === 0) {
      const position = toPosition({ ...place, pointer: joinPointer(place.pointer, "target") });
      return [createProblem("overlay-unmatched", "The target selects nothing", position)];
    }
    const isCopy = "copy" in action;
    if (action["remove"] === true) this.#remove(targets);
    else if (isCopy && "update" in action)
      throw new ActionError("An action must not have both `update` and `copy`", "copy");
    else if (isCopy || "update" in action) {
      const kinds = new Set(targets.map(({ value }) => toKind(value)));
      if (kinds.size > 1)
        throw new ActionError(
          `The target must select values of one kind, found ${[...kinds].join(" and ")}`,
          "target",
        );
      const { value, from } = isCopy
        ? this.#readSource(action)
        : { value: action["update"], from: this.#step(place, action, "update") };
      for (const target of targets) this.#update(target, value, from, isCopy ? "copy" : "update");
    }
    return [];
  }

  #readSource(action: Node): { readonly value: unknown; readonly from: Place } {
    const [source, ...others] = this.#select(action, "copy");
    if (source === undefined || others.length > 0)
      throw new ActionError(
        `\`copy\` must select one value, found ${source ? others.length + 1 : 0}`,
        "copy",
      );
    // The target can be inside the source.
    return { value: this.#clone(source.value, "copy"), from: this.find(source.pointer) };
  }

  #select(action: Node, member: "target" | "copy"): readonly Selected[] {
    const found = new Map<string, Selected>();
    const { parsed } = this.#document;
    try {
      this.#paths.run(parsed, toText(action[member]) ?? "", (path) => {
        let selected: Selected = { owner: undefined, key: "", value: parsed, pointer: "#" };
        for (const step of path) {
          // The names in a path are escaped as in a normalized path.
          const key = typeof step === "number" ? String(step) : unescapeName(step);
          const owner = selected.value as Container;
          selected = { owner, key, value: getOwn(owner, key), pointer: joinPointer(selected.pointer, key) };
        }
        found.set(selected.pointer, selected);
      });
    } catch (error) {
      if (error instanceof StepsError) throw new ActionError(error.message, member, "expansion-limit");
      throw new ActionError(`Invalid JSONPath: ${(error as Error).message}`, member);
    }
    return [...found.values()];
  }

  #remove(targets: readonly Selected[]): void {
    const arrays = new Map<unknown[], { readonly places: readonly Place[]; readonly removed: Set<string> }>();
    for (const { owner, key, pointer } of targets) {
      if (owner === undefined) throw new ActionError("The root of the document cannot be removed", "target");
      if (!Array.isArray(owner)) continue;
      const at = this.find(joinPointer("#", ...parsePointer(pointer).slice(0, -1)));
      const places = owner.map((_, index) => this.#step(at, owner, String(index)));
      const { removed } = arrays.get(owner) ?? { removed: new Set() };
      arrays.set(owner, { places, removed: removed.add(key) });
    }
    for (const { owner, key } of targets) {
      if (owner === undefined || Array.isArray(owner)) continue;
      Reflect.deleteProperty(owner, key);
      this.#moved.get(owner)?.delete(key);
    }
    for (const [owner, { places, removed }] of arrays) {
      const kept = [...owner.keys()].filter((index) => !removed.has(String(index)));
      const items = kept.map((index) => owner[index]);
      this.#moved.set(
        owner,
        new Map(kept.map((from, index) => [String(index), places[from] ?? this.find("#")])),
      );
      owner.length = 0;
      for (const item of items) owner.push(item);
    }
  }

  /** Merges a value into a selected one. */
  #update(target: Selected, value: unknown, from: Place, member: "update" | "copy"): void {
    const { owner, key, value: existing, pointer } = target;
    if (Array.isArray(existing)) {
      const items = Array.isArray(value) ? value : [value];
      for (const [index, item] of items.entries()) {
        const place = Array.isArray(value) ? this.#step(from, value, String(index)) : from;
        this.#set(existing, String(existing.length), item, place, member);
      }
    } else if (isNode(existing) && isNode(value)) {
      for (const [name, inner] of Object.entries(value)) {
        const place = this.#step(from, value, name);
        const selected = {
          owner: existing,
          key: name,
          value: getOwn(existing, name),
          pointer: joinPointer(pointer, name),
        };
        if (!Object.hasOwn(existing, name)) this.#set(existing, name, inner, place, member);
        else if (Array.isArray(selected.value) && !Array.isArray(inner))
          throw incompatible(selected, inner, member);
        else this.#update(selected, inner, place, member);
      }
    } else if (
      owner !== undefined &&
      toKind(existing) === "a primitive value" &&
      toKind(value) === toKind(existing)
    )
      this.#set(owner, key, value, from, member);
    else throw incompatible(target, value, member);
  }

  #set(owner: Container, key: string, value: unknown, place: Place, member: "update" | "copy"): void {
    const copy = this.#clone(value, member);
    // A member called `__proto__` is one like the others.
    Object.defineProperty(owner, key, { value: copy, configurable: true, enumerable: true, writable: true });
    this.#move(owner, key, place);
  }

  #move(owner: object, key: string, place: Place): void {
    this.#moved.set(owner, (this.#moved.get(owner) ?? new Map<string, Place>()).set(key, place));
  }

  #step({ source, pointer }: Place, value: unknown, key: string): Place {
    return this.#moved.get(value as object)?.get(key) ?? { source, pointer: joinPointer(pointer, key) };
  }

  #clone(value: unknown, member: "update" | "copy"): unknown {
    const isContainer = typeof value === "object" && value !== null;
    this.#added.objects += isContainer ? 1 : 0;
    this.#added.text += typeof value === "string" ? value.length + 1 : 1;
    if (this.#added.objects > MAX_REPEATED || this.#added.text > MAX_REPEATED_TEXT) {
      const limit = `${MAX_REPEATED} objects and arrays, or ${MAX_REPEATED_TEXT} values and characters`;
      throw new ActionError(`The overlays add more than ${limit}`, member, "expansion-limit");
    }
    if (!isContainer) return value;
    const copy = Array.isArray(value)
      ? value.map((item) => this.#clone(item, member))
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#clone(inner, member)]));
    const moved = this.#moved.get(value);
    if (moved !== undefined) this.#moved.set(copy, new Map(moved));
    return copy;
  }

  /** Replaces YAML aliases by copies: an action changes one place, not each that shares its value. */
  #separateAliases(owner: Container, pointer: string, seen: Map<object, string>): void {
    for (const [key, value] of Object.entries(owner)) {
      if (typeof value !== "object" || value === null) continue;
      const anchor = seen.get(value);
      const own = joinPointer(pointer, key);
      if (anchor === undefined) {
        seen.set(value, own);
        this.#separateAliases(value as Container, own, seen);
      } else this.#set(owner, key, value, { source: this.#document.source, pointer: anchor }, "update");
    }
  }
}

function unescapeName(name: string): string {
  return JSON.parse(`"${name.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`) as string;
}

function toKind(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return isNode(value) ? "an object" : "a primitive value";
}

function incompatible({ value, pointer }: Selected, found: unknown, member: "update" | "copy"): ActionError {
  return new ActionError(
    `${toKind(found)} cannot be merged into ${toKind(value)} at ${pointer}`.replace(/^a/, "A"),
    member,
  );
}
