import { isNode, type Node, toNode } from "./node.js";
import { escapeKey, getByPointer, getOwn, parsePointer, unescapeKey } from "./pointer.js";
import { getReference } from "./source.js";

/** A parsed file of a contract, before the files become one document. */
export interface ParsedFile {
  readonly parsed: unknown;
}

/** A reference object and the file that contains it. */
export interface FileReference<File extends ParsedFile> {
  readonly file: File;
  readonly node: Node;
  /** `pet.yaml#/properties/name` */
  readonly reference: string;
}

/** Keywords whose values are data: a `$ref` in them is not a reference. */
const DATA = new Set(["const", "dataValue", "default", "enum", "example", "value"]);
/** Keywords whose members have names chosen by the author. */
const NAMED = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "responses", "headers"],
  ...["schemas", "parameters", "requestBodies", "examples", "links", "callbacks", "pathItems", "mediaTypes"],
]);

/** Tests whether a member of an object whose keys are keywords is data. */
export function isData(key: string, member: unknown): boolean {
  return DATA.has(key) || (key === "examples" && Array.isArray(member));
}

/** Tests whether a member of an object whose keys are keywords has names chosen by the author. */
export function isNamed(key: string, member: unknown): boolean {
  return NAMED.has(key) && isNode(member);
}

/** Lists the references of a file, one for each target. */
export function listReferences<File extends ParsedFile>(file: File): readonly FileReference<File>[] {
  const references = new Map<string, FileReference<File>>();
  // A YAML alias is the same object as its anchor, and an anchor can contain its own alias.
  const seen = new Set<object>();
  const visit = (value: unknown, hasNames: boolean): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const found = hasNames ? undefined : toFileReference(value, file);
    if (found !== undefined) references.set(found.reference, found);
    for (const [key, child] of Object.entries(value))
      if (hasNames || !DATA.has(key)) visit(child, !hasNames && isNamed(key, child));
  };
  visit(file.parsed, false);
  return [...references.values()];
}

function toFileReference<File extends ParsedFile>(
  value: unknown,
  file: File,
): FileReference<File> | undefined {
  const reference = isNode(value) ? getReference(value) : undefined;
  return reference === undefined ? undefined : { file, node: value as Node, reference };
}

/** Returns the file of a reference, relative to the file that contains it; empty for that file itself. */
export function getFile(reference: string): string {
  return reference.split("#", 1)[0] ?? "";
}

/** Number of references that lead from one to the next. */
const MAX_CHAIN = 1_000;

/**
 * Finds circular references with nothing in between, such as `A: { $ref: B }` and `B: { $ref: A }`, also through other files.
 * A schema that contains itself through properties or items is not such a circle.
 * @param open Returns the file of a reference, or undefined if it cannot be read.
 * @returns each reference of each circle, once.
 */
export function findReferenceCircles<File extends ParsedFile>(
  references: readonly FileReference<File>[],
  open: (path: string, from: File) => File | undefined,
): readonly FileReference<File>[] {
  type Found = { readonly file: File; readonly value: unknown } | undefined;
  const circular = new Map<Node, FileReference<File>>();
  /** The targets of references that were followed to their end. */
  const known = new Map<Node, Found>();

  function follow(reference: FileReference<File>, path: readonly FileReference<File>[]): Found {
    // Longer chains are refused in any case, and each reference of them would be followed.
    if (known.has(reference.node) || path.length > MAX_CHAIN) return known.get(reference.node);
    const start = path.findIndex(({ node }) => node === reference.node);
    if (start >= 0) {
      for (const member of path.slice(start)) circular.set(member.node, member);
      return undefined;
    }
    const name = getFile(reference.reference);
    const file = name === "" ? reference.file : open(name, reference.file);
    let found: Found = file && { file, value: file.parsed };
    const within = [...path, reference];
    for (const key of parsePointer(reference.reference.slice(name.length)))
      found = step(found, key) ?? step(followOn(found, within), key);
    const target = followOn(found, within);
    known.set(reference.node, target);
    return target;
  }

  /** A target may be a reference itself. */
  function followOn(found: Found, path: readonly FileReference<File>[]): Found {
    const reference = found && toFileReference(found.value, found.file);
    return reference === undefined ? found : follow(reference, path);
  }

  function step(found: Found, key: string): Found {
    if (typeof found?.value !== "object" || found.value === null) return undefined;
    const value = getOwn(found.value, key);
    return value === undefined ? undefined : { file: found.file, value };
  }

  for (const reference of references) follow(reference, []);
  return [...circular.values()];
}

/**
 * Replaces bare component names in a discriminator's `mapping` and `defaultMapping` by references, in place: some tools read a bare name as a file.
 * `{ cat: Cat }` becomes `{ cat: "#/components/schemas/Cat" }`. Only names of the document's own components are replaced.
 * @see https://spec.openapis.org/oas/v3.1.0#discriminator-object
 */
export function nameMappings(document: unknown): void {
  walkAll(document, (node) => {
    const mapping = getMapping(node);
    for (const [key, target] of Object.entries(mapping)) {
      if (typeof target !== "string" || !hasComponent(document, target)) continue;
      (mapping as Record<string, unknown>)[key] = toComponentReference(target);
    }
    const discriminator = toNode(getOwn(node, "discriminator")) as Record<string, unknown>;
    const usual = discriminator["defaultMapping"];
    if (typeof usual === "string" && hasComponent(document, usual))
      discriminator["defaultMapping"] = toComponentReference(usual);
    return true;
  });
}

/**
 * Lists the mappings of discriminators that cannot select a schema: an alternative is not a component, or there are no alternatives
 * and no other schema extends this one.
 */
export function listUnusedMappings(document: unknown): readonly Node[] {
  const found: Node[] = [];
  const components = toNode(getByPointer(toNode(document), "#/components/schemas"));
  const isComponent = (node: Node) => Object.values(components).includes(node);
  walkAll(document, (node) => {
    const mapping = getMapping(node);
    if (Object.keys(mapping).length === 0) return true;
    const alternatives = getOwn(node, "oneOf") ?? getOwn(node, "anyOf");
    const isUsed = Array.isArray(alternatives)
      ? alternatives.every((one) => isNode(one) && toComponentName(getReference(one)) !== undefined)
      : isComponent(node);
    if (!isUsed) found.push(mapping);
    return true;
  });
  return found;
}

/** Tests whether a parsed document has a schema component with this name. */
export function hasComponent(document: unknown, name: string): boolean {
  return getByPointer(toNode(document), toComponentReference(name)) !== undefined;
}

/**
 * Tests whether bundling would leave a document unchanged: it has components, and all its references resolve within it. References
 * in extensions are ignored, although bundling would replace them: they are data for the reader of the extension.
 */
export function isSelfContained(document: Node): boolean {
  const resolved = new Set<string | undefined>([undefined]);
  const isInside = (reference: string | undefined): boolean => {
    if (!resolved.has(reference) && getByPointer(document, reference ?? "") === undefined) return false;
    resolved.add(reference);
    return true;
  };
  /** Bundling turns any other target into a component, and replaces a target that is a reference itself. */
  const isComponent = (reference: unknown): boolean => {
    const target =
      toComponentName(reference) === undefined ? undefined : getByPointer(document, String(reference));
    return isNode(target) && getReference(target) === undefined;
  };
  return (
    isNode(document["components"]) &&
    walkAll(document, (node) => {
      const discriminator = toNode(getOwn(node, "discriminator"));
      return (
        isInside(getReference(node)) &&
        node["externalValue"] === undefined &&
        (!("defaultMapping" in discriminator) || isComponent(discriminator["defaultMapping"])) &&
        Object.values(getMapping(node)).every(isComponent)
      );
    })
  );
}

function getMapping(node: Node): Node {
  return toNode(getOwn(toNode(getOwn(node, "discriminator")), "mapping"));
}

/** Visits every node, including data, until `visit` returns false. @returns false if it did. */
function walkAll(root: unknown, visit: (node: Node) => boolean): boolean {
  // See listReferences.
  const seen = new Set<object>();
  const enter = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null || seen.has(value)) return true;
    seen.add(value);
    if (isNode(value) && !visit(value)) return false;
    return Object.values(value).every(enter);
  };
  return enter(root);
}

const SCHEMAS = "#/components/schemas/";

/** Returns the name of the schema component that a reference refers to, or undefined if it refers to anything else. */
export function toComponentName(reference: unknown): string | undefined {
  if (typeof reference !== "string" || !reference.startsWith(SCHEMAS)) return undefined;
  const key = reference.slice(SCHEMAS.length);
  return key.includes("/") ? undefined : unescapeKey(key);
}

/** Returns the reference to a schema component: `Pet` becomes `#/components/schemas/Pet`. */
export function toComponentReference(name: string): string {
  return SCHEMAS + escapeKey(name);
}
