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

interface Success<Status, Body> {
  readonly status: Status;
  readonly data: Body;
  readonly error?: undefined;
  readonly response: Response;
}

interface Failure<Status, Body> {
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
 * print(await client.GET("/pets/{petId}", { params: { path: { petId: 7 } } }));
 */
export type Result<Responses> = {
  [Key in keyof Responses]: ResultOf<StatusOf<Key, keyof Responses>, BodyOf<Responses[Key]>>;
}[keyof Responses];
