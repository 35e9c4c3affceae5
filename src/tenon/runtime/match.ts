import type { HttpMethod } from "./operation.js";
import { Values } from "./values.js";

/** What the matcher needs to know of an operation. */
export interface MatchableOperation {
  readonly method: HttpMethod;
  /** Path template below the base path: `/pets/{petId}`. */
  readonly path: string;
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
  /** The path is not below the base path and so none of the contract's business. */
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

/**
 * Compiles path templates into one tree, so that a look-up costs the number of segments and not the number of operations.
 *
 * Literal segments win over templated ones (OpenAPI, "Path Templating Matching"), segment by segment from the left; a
 * concrete path that lacks the method leaves it to a template that has it. `{id}:archive`, `{name}.{ext}` and `{pet-id}`
 * are ordinary templates. Matching is exact: case, trailing slashes and empty segments count, escapes are not normalised.
 * @see https://spec.openapis.org/oas/v3.1.0#path-templating
 */
export function createMatcher<Operation extends MatchableOperation>(
  basePath: string,
  operations: readonly Operation[],
): Matcher<Operation> {
  const root = newNode<Operation>();
  for (const operation of operations) insert(root, operation);
  const prefix = `${basePath}/`;

  function search(path: string, visit: (node: Node<Operation>, values: readonly string[]) => boolean): void {
    walk(root, path.slice(prefix.length).split("/"), 0, NO_VALUES, visit);
  }

  function allow(path: string): string {
    const methods = new Set<string>();
    search(path, (node) => {
      for (const method of node.leaves.keys()) methods.add(method);
      return false;
    });
    if (methods.size === 0) return "";
    if (methods.has("GET")) methods.add("HEAD");
    methods.add("OPTIONS");
    return [...methods].sort().join(", ");
  }

  return (method, path) => {
    if (!path.startsWith(prefix)) return { kind: path === basePath ? "no-path" : "outside" };
    let found: { leaf: Leaf<Operation>; values: readonly string[] } | undefined;
    search(path, (node, values) => {
      // HEAD is answered wherever GET is (RFC 9110, section 9.1).
      const leaf = node.leaves.get(method) ?? (method === "HEAD" ? node.leaves.get("GET") : undefined);
      if (leaf !== undefined) found = { leaf, values };
      return leaf !== undefined;
    });
    if (found !== undefined) {
      const { operation, names } = found.leaf;
      const { values } = found;
      const pathParameters = new Values() as Record<string, string>;
      for (let index = 0; index < names.length; index += 1)
        pathParameters[names[index] ?? ""] = values[index] ?? "";
      return { kind: "operation", operation, pathParameters };
    }
    const allowed = allow(path);
    return allowed === "" ? { kind: "no-path" } : { kind: "other-method", allow: allowed };
  };
}

const NO_VALUES: readonly string[] = [];

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

/** Visits every node whose template matches, most specific first, until `visit` says that it is done. */
function walk<Operation>(
  node: Node<Operation>,
  segments: readonly string[],
  index: number,
  values: readonly string[],
  visit: (node: Node<Operation>, values: readonly string[]) => boolean,
): boolean {
  const segment = segments[index];
  if (segment === undefined) return node.leaves.size > 0 && visit(node, values);
  const literal = node.literals.get(segment);
  if (literal !== undefined && walk(literal, segments, index + 1, values, visit)) return true;
  for (const pattern of node.patterns) {
    const captured = capture(pattern, segment);
    if (captured !== undefined && walk(pattern.node, segments, index + 1, values.concat(captured), visit))
      return true;
  }
  return false;
}

/** Values of a segment's parameters; undefined when it does not match. */
function capture<Operation>(
  { regexp }: Pattern<Operation>,
  segment: string,
): string | readonly string[] | undefined {
  if (regexp === undefined) return segment === "" ? undefined : segment;
  return regexp.exec(segment)?.slice(1);
}
