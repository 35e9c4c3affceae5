/**
 * The options of a call that select its response. Others, such as `headers`, `signal` and `timeout`, are not part of a key: they may
 * have secrets, or have no text.
 */
const SELECTING = ["path", "query", "querystring", "header", "cookie", "body", "mediaType"] as const;

/**
 * The options of a call that are part of its key: the parameters and the body.
 * @example
 * const selecting: Selecting<{ query: { limit: number }; timeout: number }> = { query: { limit: 5 } };
 */
export type Selecting<Options> = Pick<Options, Extract<keyof Options, (typeof SELECTING)[number]>>;

/**
 * The key of a call in a cache: the `operationId`, then the parameters and the body if there are any. Caches compare keys by their JSON,
 * and a shorter key matches longer ones.
 * @example
 * const all: CallKey = ["listPets"];
 * const available: CallKey = ["listPets", { query: { status: "available" } }];
 */
export type CallKey<Options = object> =
  readonly [operationId: string] | readonly [operationId: string, options: Selecting<Options>];

/**
 * The key of the pages of a call: the key of the call, then `"pages"`, because pages are other data than the first page.
 * @example
 * const all: PagesKey = ["listPets", {}, "pages"];
 * const available: PagesKey = ["listPets", { query: { status: "available" } }, "pages"];
 */
export type PagesKey<Options = object> = readonly [
  operationId: string,
  options: Selecting<Options>,
  kind: "pages",
];

/** Makes the key of a call. A call without parameters has the key of the operation. */
export function toCallKey<Options extends object>(
  id: string,
  options: Options | undefined,
): CallKey<Options> {
  const selecting = toSelecting(options);
  return Object.keys(selecting).length === 0 ? [id] : [id, selecting];
}

export function toPagesKey<Options extends object>(
  id: string,
  options: Options | undefined,
): PagesKey<Options> {
  return [id, toSelecting(options), "pages"];
}

function toSelecting<Options extends object>(options: Options | undefined): Selecting<Options> {
  const given = Object.entries(options ?? {});
  const selecting = given.filter(([name, value]) => SELECTING.some((one) => one === name) && !isEmpty(value));
  return Object.fromEntries(selecting) as Selecting<Options>;
}

/** Tests for an option that sends nothing, such as `query: {}`. */
function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  const isPlain =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((member) => member === undefined);
}
