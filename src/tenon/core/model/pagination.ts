import { getOwn, isNode, parsePointer } from "../document/index.js";
import { toReplyKind } from "../http/index.js";
import type { Contract, Operation } from "./contract.js";
import type { Schema, SchemaRegistry } from "../schema/index.js";

/** How a client follows the pages of an operation. */
export interface Pagination {
  /**
   * Kind of value that leads to the next page: a URL (`link`), or the value of the query parameter {@link parameter}: a value of the page (`cursor`),
   * the number of items before the page (`offset`), or its number (`page`).
   */
  readonly style: (typeof STYLES)[number];
  /** JSON pointer of the items in the body; empty for the body itself. */
  readonly items: string;
  /** Query parameter; undefined for `link`. */
  readonly parameter?: string;
  /** JSON pointer of the URL or cursor of the next page in the body. */
  readonly next?: string;
  /** Header with the URL or cursor of the next page. Default for `link`: the one in `Link` with `rel="next"`. */
  readonly nextHeader?: string;
  /** Number of the first page. */
  readonly first?: number;
}

const STYLES = ["link", "cursor", "offset", "page"] as const;

const MEMBERS = ["style", "items", "parameter", "next", "nextHeader", "first"];

/** A member of `x-pagination` that is invalid; the extension itself without a member. */
interface PaginationProblem {
  readonly member?: string;
  readonly message: string;
}

interface FoundPagination {
  /** Undefined if the operation has no pages, or an invalid extension. */
  readonly pagination?: Pagination;
  readonly problems: readonly PaginationProblem[];
}

/**
 * Finds the pagination of an operation: its `x-pagination`, or that of a GET whose successful response is an array and declares the
 * header `Link`.
 */
export function findPagination(
  operation: Operation,
  { registry }: Pick<Contract, "registry">,
): FoundPagination {
  const { pagination: given, parameters, method } = operation;
  const successes = operation.responses.filter(({ status }) => status.startsWith("2"));
  const bodies = successes.flatMap(({ mediaTypes }) =>
    mediaTypes.flatMap(({ name, schema }) => (toReplyKind(name) === "json" && schema ? [schema] : [])),
  );
  const declares = (name: string) =>
    successes.some(({ headers }) =>
      headers.some((header) => header.name.toLowerCase() === name.toLowerCase()),
    );
  const isArray = (pointer: string) =>
    bodies.length > 0 &&
    bodies.every((body) => {
      const found = follow(body, pointer, registry);
      return found === "unknown" || found?.type?.includes("array") === true;
    });
  if (given === undefined) {
    const isList =
      method === "get" && declares("Link") && isArray("") && follow(bodies[0], "", registry) !== "unknown";
    return { ...(isList && { pagination: { style: "link", items: "" } }), problems: [] };
  }
  if (!isNode(given))
    return { problems: [{ message: "`x-pagination` must be an object, for example { style: cursor }" }] };

  const problems: PaginationProblem[] = [];
  const check = (member: string, isValid: boolean, expected: string) => {
    if (isValid) return;
    const value = getOwn(given, member);
    const found = value === undefined ? "nothing" : JSON.stringify(value);
    problems.push({
      ...(value !== undefined && { member }),
      message: `Expected \`${member}\` of \`x-pagination\` to be ${expected}; found ${found}.`,
    });
  };
  for (const member of Object.keys(given).filter((name) => !MEMBERS.includes(name) && !name.startsWith("x-")))
    problems.push({ member, message: `\`x-pagination\` has an unknown member "${member}".` });
  const text = (member: string) => {
    const value = getOwn(given, member);
    return typeof value === "string" ? value : undefined;
  };
  const style = STYLES.find((name) => name === (getOwn(given, "style") ?? "link"));
  check("style", style !== undefined, STYLES.join(", "));
  const items = getOwn(given, "items") === undefined ? "" : text("items");
  check(
    "items",
    items !== undefined && isPointer(items) && isArray(items),
    "a JSON pointer to an array in the body",
  );
  const [parameter, next, nextHeader] = [text("parameter"), text("next"), text("nextHeader")];
  if (style === "link")
    check("parameter", getOwn(given, "parameter") === undefined, "absent with style link");
  else if (style !== undefined) {
    const isDeclared = parameters.some((one) => one.in === "query" && one.name === parameter);
    check("parameter", isDeclared, "the name of a query parameter of the operation");
  }
  const isCounted = style === "offset" || style === "page";
  const leads =
    next === undefined ||
    (isPointer(next) && bodies.every((body) => follow(body, next, registry) !== undefined));
  check(
    "next",
    leads && !(isCounted && next !== undefined),
    isCounted ? `absent with style ${style}` : "a JSON pointer to a property of the body",
  );
  const hasHeader =
    nextHeader === undefined ? getOwn(given, "nextHeader") === undefined : declares(nextHeader);
  check(
    "nextHeader",
    hasHeader && !(isCounted && nextHeader !== undefined),
    "a header of the successful response",
  );
  const hasNext = next !== undefined || nextHeader !== undefined;
  if (style === "cursor")
    check("next", hasNext, "a JSON pointer, or `nextHeader` a header: a cursor comes from the page");
  if (style === "link" && !hasNext)
    check("next", declares("Link"), "a JSON pointer, unless the response declares the header `Link`");
  const first = getOwn(given, "first");
  check(
    "first",
    first === undefined || (style === "page" && Number.isSafeInteger(first)),
    "an integer, with style page",
  );
  if (problems.length > 0 || style === undefined || items === undefined) return { problems };
  return {
    pagination: {
      style,
      items,
      ...(parameter !== undefined && { parameter }),
      ...(next !== undefined && { next }),
      ...(nextHeader !== undefined && { nextHeader }),
      ...(typeof first === "number" && { first }),
    },
    problems,
  };
}

function isPointer(text: string): boolean {
  return text === "" || text.startsWith("/");
}

/** Finds the schema of a value by its JSON pointer. `unknown` if keywords other than `properties` may declare it. */
function follow(
  schema: Schema | undefined,
  pointer: string,
  registry: SchemaRegistry,
): Schema | "unknown" | undefined {
  let found = schema;
  for (const key of parsePointer(pointer)) {
    if (found === undefined) return undefined;
    const {
      properties = {},
      allOf,
      anyOf,
      oneOf,
      additionalProperties,
      patternProperties,
    } = registry.resolve(found);
    const others = allOf ?? anyOf ?? oneOf ?? additionalProperties ?? patternProperties;
    const property = getOwn<Schema>(properties, key);
    if (property === undefined) return others === undefined ? undefined : "unknown";
    found = property;
  }
  if (found === undefined) return undefined;
  const resolved = registry.resolve(found);
  return resolved.type === undefined && (resolved.allOf ?? resolved.anyOf ?? resolved.oneOf)
    ? "unknown"
    : resolved;
}
