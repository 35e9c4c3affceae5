import { createHash } from "node:crypto";
import { joinPointer, type Node, toComponentReference, toNode } from "tenon/core/document";
import { fromFragment } from "../render/ids.js";

/**
 * The digest of what an operation, webhook or component says, and of all that it refers to, at any depth: what is made from the same is
 * the same. It covers rather too much than too little. The document has references to pointers only, as `loadContract` leaves it.
 * @param pointers Of all that it is made from: `#/paths/~1pets/get`.
 */
export type ToFingerprint = (...pointers: readonly string[]) => string;

/** Members of a document whose members are units: parts that refer to each other. Those of `components` are in kinds. */
const CONTAINERS = ["paths", "webhooks"];
/** Units of their own: what operations there are, and whether a sunset is past. */
const OPERATIONS = "operations";
const NOW = "now";

/** Inputs of the parts of a site that are not in its document. */
interface Circumstances {
  /** Inputs of all parts: values of JSON. */
  readonly common: unknown;
  /** Inputs of the operation at a pointer. Links lead to operations by them. */
  readonly operations: readonly (readonly [pointer: string, text: string])[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Creates the fingerprints of what a document says at its pointers. */
export function createFingerprints(
  document: Node,
  { common, operations, now }: Circumstances,
): ToFingerprint {
  const { components, ...rest } = document;
  const { securitySchemes, ...kinds } = toNode(components);
  const texts = new Map<string, string>();
  const add = (pointer: string, text: string) => {
    const unit = toUnit(pointer);
    texts.set(unit, (texts.get(unit) ?? "") + text);
  };
  const addUnits = (container: string, members: unknown) => {
    for (const [name, node] of Object.entries(toNode(members)))
      add(joinPointer(container, name), JSON.stringify(node));
  };
  for (const name of CONTAINERS) addUnits(`#/${name}`, document[name]);
  for (const [kind, members] of Object.entries(kinds)) addUnits(`#/components/${kind}`, members);
  for (const [pointer, text] of operations) add(pointer, text);
  const root = Object.entries(rest).filter(([name]) => !CONTAINERS.includes(name));
  const start = digest(JSON.stringify([common, securitySchemes, root]));

  // A hierarchy is known by its base: what extends it may be anywhere.
  const extending = [...texts].flatMap(([pointer, text]) => (text.includes('"allOf"') ? [pointer] : []));
  const readUnit = (pointer: string) => {
    const text = texts.get(pointer);
    if (text === undefined) return { digest: "", related: [] };
    const references = listTexts(text, /"#\/(?:[^"\\]|\\.)*"/g).map(toUnit);
    if (/"(?:links|x-replaced-by)"/.test(text)) references.push(OPERATIONS);
    if (text.includes('"x-sunset"')) references.push(NOW);
    if (!text.includes('"discriminator"')) return { digest: digest(text), related: references };
    // Its values may be names of schemas.
    const named = listTexts(text, /"(?:[^"\\]|\\.)*"/g).map((name) => toUnit(toComponentReference(name)));
    const related = [...references, ...named.filter((other) => texts.has(other)), ...extending];
    return { digest: digest(text), related };
  };
  const units = new Map([
    [OPERATIONS, { digest: digest(JSON.stringify(operations)), related: new Array<string>() }],
    [NOW, { digest: String(now), related: [] }],
  ]);
  const getUnit = (pointer: string) => {
    const unit = units.get(pointer) ?? readUnit(pointer);
    units.set(pointer, unit);
    return unit;
  };
  return (...pointers) => {
    const reached = new Set(pointers.map(toUnit));
    // Iteration of a set includes what is added meanwhile.
    for (const pointer of reached) for (const other of getUnit(pointer).related) reached.add(other);
    const parts = [...reached].sort().map((pointer) => `${pointer} ${getUnit(pointer).digest}`);
    return digest([start, ...parts].join("\n"));
  };
}

function listTexts(json: string, pattern: RegExp): string[] {
  return [...new Set(json.match(pattern))].map((text) => JSON.parse(text) as string);
}

/** The pointer of the unit that another pointer is within, decoded: references may be encoded. */
function toUnit(pointer: string): string {
  const [root, container = "", ...keys] = fromFragment(pointer).split("/");
  return [root, container, ...keys.slice(0, CONTAINERS.includes(container) ? 1 : 2)].join("/");
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
