import type { HttpMethod } from "../../core/http/index.js";
import { NullObject } from "../../core/document/null-object.js";

/** The part of an operation that the matcher needs. */
export interface MatchableOperation {
  readonly method: HttpMethod;
  /** Path template below the base path: `/pets/{petId}`. */
  readonly path: string;
  /** Default: the contract's. */
  readonly basePaths?: readonly string[];
}

export type Match<Operation> =
  | {
      readonly kind: "operation";
      readonly operation: Operation;
      /** Path parameters by the contract's names, as they were sent, in a null-prototype object. */
      readonly pathParameters: Readonly<Record<string, string>>;
    }
  /** The path exists, the method does not; `allow` is the value of the `Allow` header. */
  | { readonly kind: "other-method"; readonly allow: string }
  | { readonly kind: "no-path" }
  /** The path is not below a base path, so the contract does not apply. */
  | { readonly kind: "outside" };

/** Finds the operation for a method and a raw (still percent-encoded) path. */
export type Matcher<Operation> = (method: string, path: string) => Match<Operation>;

interface Leaf<Operation> {
  readonly operation: Operation;
  readonly names: readonly string[];
}

interface Pattern<Operation> {
  readonly source: string;
  readonly literalLength: number;
  /** Undefined for a segment that is one parameter and nothing else, as nearly every one is. */
  readonly regexp: RegExp | undefined;
  readonly node: Node<Operation>;
}

interface Node<Operation> {
  readonly literals: Map<string, Node<Operation>>;
  /** Segments with a parameter, most specific (most literal characters) first. */
  readonly patterns: Pattern<Operation>[];
  readonly leaves: Map<string, Leaf<Operation>>;
}

/** The operations below a base path. */
interface Tree<Operation> {
  readonly basePath: string;
  readonly prefix: string;
  readonly root: Node<Operation>;
}

/**
 * Compiles path templates into one tree per base path, so that a look-up costs the number of segments and not the number of
 * operations. The longest base path wins, like a literal segment. The base path `/` beside others claims only paths of operations.
 *
 * Literal segments win over templated ones (OpenAPI, "Path Templating Matching"), segment by segment from the left; a
 * concrete path that lacks the method leaves it to a template that has it. `{id}:archive`, `{name}.{ext}` and `{pet-id}`
 * are ordinary templates. Matching is exact: case, trailing slashes and empty segments count, escapes are not normalised.
 * @see https://spec.openapis.org/oas/v3.1.0#path-templating
 */
export function createMatcher<Operation extends MatchableOperation>(
  basePaths: readonly string[],
  operations: readonly Operation[],
): Matcher<Operation> {
  const trees = createTrees(basePaths, operations);

  function allow(path: string): string {
    const methods = new Set<string>();
    for (const { prefix, root } of trees)
      if (path.startsWith(prefix)) collectMethods(root, toSegments(path, prefix), 0, methods);
    if (methods.size === 0) return "";
    if (methods.has("GET")) methods.add("HEAD");
    methods.add("OPTIONS");
    return [...methods].sort().join(", ");
  }

  return (method, path) => {
    let isOutside = true;
    for (const { basePath, prefix, root } of trees) {
      const isBelow = path.startsWith(prefix);
      if (isBelow || path === basePath) isOutside &&= basePath === "" && trees.length > 1;
      if (!isBelow) continue;
      const values: string[] = [];
      const leaf = findLeaf(root, toSegments(path, prefix), 0, method, values);
      if (leaf === undefined) continue;
      const { operation, names } = leaf;
      const pathParameters = new NullObject() as Record<string, string>;
      for (let index = 0; index < names.length; index += 1)
        pathParameters[names[index] ?? ""] = values[index] ?? "";
      return { kind: "operation", operation, pathParameters };
    }
    const allowed = allow(path);
    if (allowed !== "") return { kind: "other-method", allow: allowed };
    return { kind: isOutside ? "outside" : "no-path" };
  };
}

/** Creates the trees, the longest base path first. Base paths with the same operations share their nodes. */
function createTrees<Operation extends MatchableOperation>(
  basePaths: readonly string[],
  operations: readonly Operation[],
): readonly Tree<Operation>[] {
  const mounted = new Map(basePaths.map((basePath) => [basePath, [] as number[]]));
  operations.forEach((operation, index) => {
    for (const basePath of operation.basePaths ?? basePaths) {
      const indexes = mounted.get(basePath) ?? [];
      indexes.push(index);
      mounted.set(basePath, indexes);
    }
  });
  const roots = new Map<string, Node<Operation>>();
  const trees = [...mounted].map(([basePath, indexes]): Tree<Operation> => {
    const key = indexes.join();
    const root = roots.get(key) ?? newNode<Operation>();
    if (!roots.has(key))
      for (const index of indexes) if (operations[index] !== undefined) insert(root, operations[index]);
    roots.set(key, root);
    return { basePath, prefix: `${basePath}/`, root };
  });
  return trees.sort((a, b) => b.prefix.length - a.prefix.length);
}

function toSegments(path: string, prefix: string): readonly string[] {
  return path.slice(prefix.length).split("/");
}

/** Splits a segment of a template into literal text and parameter names: `{id}:archive` gives `["", "id", ":archive"]`. */
function splitSegment(segment: string): string[] {
  return segment.split(/\{([^{}]*)\}/);
}

/**
 * Literal text of a template as a request's path has it: `/café` is sent as `/caf%C3%A9`.
 * @see https://url.spec.whatwg.org/#path-percent-encode-set
 */
function toWire(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]|["#<>?`]/gu, encodeURIComponent);
}

function newNode<Operation>(): Node<Operation> {
  return { literals: new Map(), patterns: [], leaves: new Map() };
}

function insert<Operation extends MatchableOperation>(root: Node<Operation>, operation: Operation): void {
  const names: string[] = [];
  let node = root;
  for (const segment of operation.path.slice(1).split("/")) {
    const parts = splitSegment(segment).map((part, index) => (index % 2 === 1 ? part : toWire(part)));
    names.push(...parts.filter((_, index) => index % 2 === 1));
    const [literal = ""] = parts;
    node = parts.length === 1 ? literalChild(node, literal) : patternChild(node, parts);
  }
  node.leaves.set(operation.method.toUpperCase(), { operation, names });
}

function literalChild<Operation>(node: Node<Operation>, segment: string): Node<Operation> {
  let child = node.literals.get(segment);
  if (child === undefined) node.literals.set(segment, (child = newNode()));
  return child;
}

function patternChild<Operation>(node: Node<Operation>, parts: readonly string[]): Node<Operation> {
  const literals = parts.filter((_, index) => index % 2 === 0);
  // The last delimiter counts: `{name}.{ext}` takes `a.tar.gz` apart into `a.tar` and `gz`. Neighbouring parameters are kept apart
  // by literal text (a lint rule), so that quantifiers cannot run away.
  const source = literals.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+)");
  const existing = node.patterns.find((pattern) => pattern.source === source);
  if (existing !== undefined) return existing.node;
  const child = newNode<Operation>();
  const literalLength = literals.join("").length;
  const regexp = source === "(.+)" ? undefined : new RegExp(`^${source}$`);
  node.patterns.push({ source, literalLength, regexp, node: child });
  node.patterns.sort((a, b) => b.literalLength - a.literalLength);
  return child;
}

/**
 * Finds the most specific template that matches and has the method.
 * @param values Gets the values of the path parameters.
 */
function findLeaf<Operation>(
  { leaves, literals, patterns }: Node<Operation>,
  segments: readonly string[],
  index: number,
  method: string,
  values: string[],
): Leaf<Operation> | undefined {
  const segment = segments[index];
  // HEAD is supported wherever GET is (RFC 9110, section 9.1).
  if (segment === undefined) return leaves.get(method) ?? (method === "HEAD" ? leaves.get("GET") : undefined);
  const literal = literals.get(segment);
  const exact = literal && findLeaf(literal, segments, index + 1, method, values);
  if (exact !== undefined) return exact;
  const { length } = values;
  for (const pattern of patterns) {
    const isMatch = capture(pattern, segment, values);
    const leaf = isMatch ? findLeaf(pattern.node, segments, index + 1, method, values) : undefined;
    if (leaf !== undefined) return leaf;
    values.length = length;
  }
  return undefined;
}

/** Adds the methods of every template that matches. */
function collectMethods<Operation>(
  { leaves, literals, patterns }: Node<Operation>,
  segments: readonly string[],
  index: number,
  methods: Set<string>,
): void {
  const segment = segments[index];
  if (segment === undefined) {
    for (const method of leaves.keys()) methods.add(method);
    return;
  }
  const literal = literals.get(segment);
  if (literal !== undefined) collectMethods(literal, segments, index + 1, methods);
  for (const pattern of patterns)
    if (capture(pattern, segment, [])) collectMethods(pattern.node, segments, index + 1, methods);
}

/** Tests whether a segment matches, and adds the values of its parameters. */
function capture<Operation>({ regexp }: Pattern<Operation>, segment: string, values: string[]): boolean {
  if (regexp === undefined) return segment !== "" && values.push(segment) > 0;
  const [whole, ...captured] = regexp.exec(segment) ?? [];
  values.push(...captured);
  return whole !== undefined;
}

/**
 * Splits a request target into its raw path and its query without `?`.
 * The absolute form `http://host/v1/pets` is one that servers must accept (RFC 9112, section 3.2.2).
 */
export function splitTarget(target: string): { path: string; query: string } {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i.exec(target)?.[0] ?? "";
  const rest = target.slice(origin.length);
  const mark = rest.indexOf("?");
  return mark === -1 ? { path: rest, query: "" } : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}
