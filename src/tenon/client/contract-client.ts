import type { HttpMethod } from "./contract.js";
import type { Result } from "./result.js";
import type { Readable, Sendable, Writable } from "./views.js";

/** An operation of a generated types.ts. */
interface OperationTypes {
  readonly parameters: object;
  readonly requestBody?: { readonly content?: object } | undefined;
  readonly responses: object;
}

/**
 * Whether the contract has properties that are `readOnly` or `writeOnly`. Where it has none, what is received is of the types
 * of types.ts themselves.
 */
export type Marking = "marked" | "unmarked";

type PathsWith<Paths, Method extends HttpMethod> = {
  [Path in keyof Paths]: Method extends keyof Paths[Path] ? Path : never;
}[keyof Paths];

type At<Paths, Path, Method> = Path extends keyof Paths
  ? Method extends keyof Paths[Path]
    ? Paths[Path][Method] extends OperationTypes
      ? Paths[Path][Method]
      : never
    : never
  : never;

/** Whether an object without members is one. */
type AllOptional<Members> = Partial<Members> extends Members ? true : false;

type Params<Parameters> =
  AllOptional<Parameters> extends true
    ? { readonly params?: Sendable<Parameters> }
    : { readonly params: Sendable<Parameters> };

type Sent<Type, Marks extends Marking> = Sendable<Marks extends "marked" ? Writable<Type> : Type>;

type Body<Operation extends OperationTypes, Marks extends Marking> = [
  NonNullable<Operation["requestBody"]>,
] extends [never]
  ? { readonly body?: never }
  : undefined extends Operation["requestBody"]
    ? { readonly body?: never } | ContentBody<NonNullable<Operation["requestBody"]>, Marks>
    : ContentBody<NonNullable<Operation["requestBody"]>, Marks>;

type ContentBody<RequestBody, Marks extends Marking> = RequestBody extends { readonly content: infer Content }
  ? {
      [Name in keyof Content]: { readonly body: Sent<Content[Name], Marks> } & MediaTypeOf<
        Name,
        keyof Content
      >;
    }[keyof Content]
  : never;

/** The media type may be left out where it is the only one or plain JSON; of a range, one has to be chosen. */
type MediaTypeOf<Name, All> = Name extends `${infer Type}/*${infer Suffix}`
  ? { readonly mediaType: `${Type extends "*" ? string : Type}/${string}${Suffix}` }
  : [Name, All] extends [All, Name] | ["application/json", unknown]
    ? { readonly mediaType?: Name }
    : { readonly mediaType: Name };

/** Parameters and body as the contract declares them; `headers`, `signal` and the rest of `fetch`'s options go to `fetch`. */
export type CallOptions<Operation extends OperationTypes, Marks extends Marking = "unmarked"> = Params<
  Operation["parameters"]
> &
  Body<Operation, Marks> &
  Omit<RequestInit, "body" | "method">;

/** Options may be left out where nothing in them is required. */
type Rest<Options> = AllOptional<Options> extends true ? [options?: Options] : [options: Options];

type Answers<Responses, Method extends HttpMethod, Marks extends Marking> = {
  [Status in keyof Responses]: Method extends "head"
    ? { readonly content?: never }
    : Marks extends "marked"
      ? ReadableContent<Responses[Status]>
      : Responses[Status];
};

type ReadableContent<Declared> = Declared extends { readonly content: infer Content }
  ? { readonly content: { [Name in keyof Content]: Readable<Content[Name]> } }
  : Declared;

/**
 * A method for each HTTP method, typed by the contract: `client.GET("/pets", { params: { query: { limit: 10 } } })`.
 * `Paths` is the `paths` interface of a generated types.ts.
 */
export type ContractClient<Paths, Marks extends Marking = "unmarked"> = {
  readonly [Method in HttpMethod as Uppercase<Method>]: <Path extends PathsWith<Paths, Method>>(
    path: Path,
    ...options: Rest<CallOptions<At<Paths, Path, Method>, Marks>>
  ) => Promise<Result<Answers<At<Paths, Path, Method>["responses"], Method, Marks>>>;
};
