import { toReplyKind } from "tenon/core/http/media-type";
import { HttpError } from "tenon/runtime/errors/http-error";
import type { OperationDescriptor } from "tenon/runtime/operation";
import type { ReplyContent, ReplyHeaders } from "tenon/runtime/response/reply";
import type { Unhandled } from "tenon/runtime/routing/route";
import type { SchemaBook } from "../values/book.js";
import { type Chosen, toStatus } from "./choose-response.js";
import { toContent, toDocument } from "./content.js";
import { type DeclaredContent, type DeclaredResponse, type Example, readResponses } from "./declared.js";
import { makeHeaders } from "./headers.js";
import { makeSentence, type TryValues } from "./values.js";

/** What an operation is to be answered with. */
export interface Wanted extends Chosen {
  /** Media types that the request accepts, the preferred one first. */
  readonly accepts: readonly string[];
  /** Name of one of the response's examples. */
  readonly example?: string | undefined;
  /** Whether it is generated even where there are examples. */
  readonly dynamic: boolean;
  readonly seed: number;
}

export interface MockAnswer {
  readonly status: number;
  readonly content: ReplyContent | undefined;
  readonly headers: ReplyHeaders;
}

/** An example that does not conform to its schema, and is not sent. */
export interface BadExample {
  readonly operation: OperationDescriptor;
  /** Where the bundled document has it. */
  readonly pointer: string;
  readonly problems: readonly string[];
}

/** What an operation can be answered with. */
export interface Answers {
  /**
   * Makes an answer that the contract declares.
   * @throws {HttpError} `not_found` when there is no such example, `internal_error` when no valid answer can be made.
   */
  make(wanted: Wanted): MockAnswer;
  isGood(answer: MockAnswer): boolean;
  readonly responses: readonly DeclaredResponse[];
}

export interface AnswersOptions {
  readonly book: SchemaBook;
  readonly tryValues: TryValues;
  /** Called for each example that is not valid, before anything is answered. */
  readonly onBadExample: (bad: BadExample) => void;
}

export function createAnswers(
  { operation, document, headers: fixed, check }: Unhandled,
  { book, tryValues, onBadExample }: AnswersOptions,
): Answers {
  const responses = readResponses(document, operation, book);
  const byKey = new Map(responses.map((response) => [response.status, response]));
  const bad = new Map<Example, readonly string[]>();

  function makeHead(response: DeclaredResponse, status: number, seed: number): ReplyHeaders {
    return makeHeaders({ response, status, seed }, { fixed, check, tryValues });
  }

  for (const response of responses) {
    const status = toStatus(operation, response.status);
    if (status === undefined) continue;
    const headers = makeHead(response, status, 0);
    for (const { mediaType, examples } of response.content) {
      for (const example of examples) {
        const problems = check({ status, headers, content: toContent(mediaType, example.value) });
        if (problems.length === 0) continue;
        bad.set(example, problems);
        onBadExample({ operation, pointer: example.pointer, problems });
      }
    }
  }

  function make({ key, status, accepts, example, dynamic, seed }: Wanted): MockAnswer {
    const response = byKey.get(key);
    const headers = response === undefined ? {} : makeHead(response, status, seed);
    const content = response && chooseContent(response.content, accepts);
    if (content === undefined) {
      if (example !== undefined) refuseExample(example, []);
      return { status, headers, content: undefined };
    }
    const shown =
      example === undefined
        ? dynamic
          ? undefined
          : content.examples.find((one) => !bad.has(one))
        : findExample(content, example);
    if (shown !== undefined) return { status, headers, content: toContent(content.mediaType, shown.value) };
    let problems: readonly string[] = [];
    for (const value of toValues(content, seed, dynamic)) {
      const answer = { status, headers, content: toContent(content.mediaType, value) };
      problems = check(answer);
      if (problems.length === 0) return answer;
    }
    throw new HttpError("internal_error", {
      message:
        `No value was found that is valid as the ${status} of "${operation.id}"; give the response an example` +
        (problems.length === 0 ? "" : ` (${problems.join("; ")})`),
    });
  }

  function findExample({ mediaType, examples }: DeclaredContent, name: string): Example {
    const found = examples.find((example) => example.name === name);
    const problems = found && bad.get(found);
    if (problems !== undefined)
      throw refuse(
        `Example "${name}" of ${mediaType} is not sent, because it is not valid: ${problems.join("; ")}`,
      );
    return found ?? refuseExample(name, examples);
  }

  function refuseExample(name: string, examples: readonly Example[]): never {
    const known = examples.map((example) => example.name).join(", ");
    throw refuse(`The response has no example "${name}"; it has ${known === "" ? "none" : known}`);
  }

  function* toValues(
    { mediaType, schema }: DeclaredContent,
    seed: number,
    dynamic: boolean,
  ): Iterable<unknown> {
    if (toReplyKind(mediaType) === "json") {
      yield* tryValues(schema, seed, dynamic);
      return;
    }
    const sentence = makeSentence(seed);
    const [value] = schema === true ? [] : tryValues(schema, seed, dynamic);
    yield toDocument(mediaType, sentence) ?? (typeof value === "string" ? value : sentence);
  }

  return { make, responses, isGood: (answer) => check(answer).length === 0 };
}

function refuse(message: string): HttpError {
  return HttpError.refusal("not_found", { message });
}

/** What the request prefers of what the response has; JSON where it does not say. */
function chooseContent(
  content: readonly DeclaredContent[],
  accepts: readonly string[],
): DeclaredContent | undefined {
  const accepted = accepts.flatMap((name) => content.find(({ mediaType }) => mediaType === name) ?? []);
  return accepted[0] ?? content.find(({ mediaType }) => toReplyKind(mediaType) === "json") ?? content[0];
}
