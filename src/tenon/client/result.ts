/**
 * Registered status codes by range. The list is finite, because TypeScript only narrows literal types.
 * @see https://www.iana.org/assignments/http-status-codes
 */
interface Ranges {
  "1XX": 100 | 101 | 102 | 103;
  "2XX": 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;
  "3XX": 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308;
  "4XX":
    | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416)
    | (417 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451);
  "5XX": 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511;
}

type Registered = Ranges[keyof Ranges];

/**
 * Statuses of a key of `responses`: a declared code takes precedence over its range, and a range over `default`. Where successes are
 * declared, `default` means errors.
 */
type StatusOf<Key, Declared> = Key extends number
  ? Key
  : Key extends keyof Ranges
    ? Exclude<Ranges[Key], Declared>
    : Exclude<Registered, Declared | Ranges[Extract<Declared, keyof Ranges> | SuccessRange<Declared>]>;

/** `2XX` if a status in it is declared. */
type SuccessRange<Declared> = [Declared & Ranges["2XX"]] extends [never] ? never : "2XX";

/** The fetch standard's `response.ok`. */
type Ok<Status> = Status extends number ? (`${Status}` extends `2${string}` ? Status : never) : never;

type BodyOf<Declared> = Declared extends { readonly content: infer Content }
  ? Content[keyof Content]
  : undefined;

/**
 * A result with a status from 200 to 299.
 * @example
 * const count = ({ data }: Success<200, Pet[]>) => data.length;
 */
export interface Success<Status, Body> {
  readonly status: Status;
  readonly data: Body;
  readonly error?: undefined;
  readonly response: Response;
}

/**
 * A result with another status.
 * @example
 * const describe = ({ status, error }: Failure<404, { message: string }>) => `${status} ${error.message}`;
 */
export interface Failure<Status, Body> {
  readonly status: Status;
  readonly data?: undefined;
  readonly error: Body;
  readonly response: Response;
}

type ResultOf<Status, Body> =
  | ([Ok<Status>] extends [never] ? never : Success<Ok<Status>, Body>)
  | ([Exclude<Status, Ok<Status>>] extends [never] ? never : Failure<Exclude<Status, Ok<Status>>, Body>);

/**
 * The result of a call: a union with a member per declared response, discriminated by `status`.
 * `{ 201: Pet, "4XX": Error }` becomes `Success<201, Pet> | Failure<400 | 401 | …, Error>`.
 * @example
 * const print = (result: Result<operations["getPet"]["responses"]>) => {
 *   if (result.status === 200) console.log(result.data.name);
 *   else console.error(result.error.code, result.error.message);
 * };
 * print(await client.getPet({ path: { petId: 7 } }));
 */
export type Result<Responses> = {
  [Key in keyof Responses]: ResultOf<StatusOf<Key, keyof Responses>, BodyOf<Responses[Key]>>;
}[keyof Responses];

/** The body of the successful results of a union. */
export type SuccessBody<Results> = Results extends { readonly data: infer Body } ? Body : never;

/**
 * The promise of a call. It resolves to the result, whatever its status is; that of `orThrow()` resolves to the body of a successful one.
 * @example
 * const pending: Pending<Result<operations["listPets"]["responses"]>> = client.listPets();
 * const pets = await pending.orThrow();
 * console.log(pets.length);
 */
export interface Pending<Results> extends Promise<Results> {
  /**
   * Resolves to the body of a successful response: a value, or items to read with `for await`.
   * @throws {ResponseError} for any other response.
   */
  orThrow(): Promise<SuccessBody<Results>>;
}

/** Any result at run time. */
export interface AnyResult {
  readonly status: number;
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** Maximum number of characters of a body in an error message. */
const MAX_SHOWN = 200;

/**
 * A declared response whose status is not from 200 to 299, thrown by `orThrow()`. A call's `isError` narrows `status` and `body` to the
 * contract's.
 * @example
 * try {
 *   await client.getPet({ path: { petId: 7 } }).orThrow();
 * } catch (error) {
 *   if (!client.getPet.isError(error)) throw error;
 *   if (error.status === 404) console.error("No such pet", error.requestId);
 *   else console.error(error.body.message);
 * }
 */
export class ResponseError<Status = number, Body = unknown> extends Error {
  override readonly name = "ResponseError";
  readonly status: Status;
  /** The body as the contract declares it. */
  readonly body: Body;
  /** The response, whose body is already read. */
  readonly response: Response;
  /** The header `X-Request-Id`, to find the request in the log of the service. */
  readonly requestId: string | undefined;

  constructor(
    /** The `operationId`. */
    readonly operationId: string,
    { status, error: body, response }: Failure<Status, Body>,
  ) {
    const requestId = response.headers.get("X-Request-Id") ?? undefined;
    const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
    const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
    super(
      `${operationId} failed with status ${String(status)}` +
        `${requestId === undefined ? "" : ` (request ${requestId})`}${shown === "" ? "" : `: ${shown}`}`,
    );
    this.status = status;
    this.body = body;
    this.response = response;
    this.requestId = requestId;
  }
}

/** Adds `orThrow` to the promise of a result. */
export function toPending<Results extends AnyResult>(
  operationId: string,
  promise: Promise<Results>,
): Pending<Results> {
  const orThrow = async () => assertSuccess(operationId, await promise).data as SuccessBody<Results>;
  return Object.assign(promise, { orThrow });
}

/** @throws {ResponseError} */
export function assertSuccess<Results extends AnyResult>(operationId: string, result: Results): Results {
  if (result.response.ok) return result;
  throw new ResponseError(operationId, { ...result, data: undefined, error: result.error });
}
