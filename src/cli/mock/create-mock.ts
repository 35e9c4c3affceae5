import type { ContractDocument } from "tenon/runtime/contract-document";
import { HttpError } from "tenon/runtime/errors/http-error";
import type { OperationDescriptor } from "tenon/runtime/operation";
import { Reply } from "tenon/runtime/response/reply";
import type { Handler, HandlerRequest, MakeHandler, Unhandled } from "tenon/runtime/routing/route";
import { createSchemaBook, type SchemaBook } from "../values/book.js";
import { type Answers, type BadExample, createAnswers, type MockAnswer, type Wanted } from "./answers.js";
import { type Chosen, chooseStatus, chooseUsual } from "./choose-response.js";
import type { Faults } from "./faults.js";
import { type Preferences, readPreferences } from "./prefer.js";
import type { State } from "./state.js";
import { createTryValues, toSeed, type TryValues } from "./values.js";

/** Tells an answer of the mock from a service's own. */
export const MOCK_HEADER = "Tenon-Mock";

export interface MockOptions {
  /** The same gives the same answers. Default: `1`. */
  readonly seed?: string;
  /** Whether every answer is generated, each with other values. Default: false. */
  readonly dynamic?: boolean;
  /** Called once for each example that is not valid, and therefore not sent, as soon as its operation is made. */
  readonly onBadExample?: (bad: BadExample) => void;
  /** Delays, and errors of a share of the answers. Default: none. */
  readonly faults?: Faults;
  /** Keeps what is created. Default: nothing is kept. */
  readonly state?: (mock: MockParts) => State;
}

/** What answers are made with. */
export interface MockParts {
  readonly responses: SchemaBook;
  readonly tryValues: TryValues;
}

export interface Mock extends MockParts {
  readonly makeHandler: MakeHandler;
  /** Of an operation whose handler was made. */
  readonly findAnswers: (operation: OperationDescriptor) => Answers | undefined;
}

/** Makes handlers that answer from the contract: its examples, or else values that its schemas allow. */
export function createMock(document: ContractDocument, options: MockOptions = {}): Mock {
  const { seed = "1", dynamic: isDynamic = false, onBadExample, faults } = options;
  const responses = createSchemaBook({ ...document }, "response");
  const tryValues = createTryValues(responses);
  const state = options.state?.({ responses, tryValues });
  const made = new Map<OperationDescriptor, Answers>();
  // Operations share examples, and each is told of once.
  const told = new Set<string>();
  const tell = (bad: BadExample) => {
    if (!told.has(bad.pointer)) onBadExample?.(bad);
    told.add(bad.pointer);
  };
  let answered = 0;

  /** In the static way, the same request gets the same answer, and another pet is another one. */
  function toRequestSeed(
    { id }: OperationDescriptor,
    preferences: Preferences,
    { path }: HandlerRequest,
  ): number {
    if (preferences.seed !== undefined) return toSeed(preferences.seed, id);
    const dynamic = preferences.dynamic ?? isDynamic;
    return toSeed(seed, id, dynamic ? (answered += 1) : path);
  }

  const makeHandler: MakeHandler = (missing: Unhandled): Handler => {
    const { operation } = missing;
    const answers = createAnswers(missing, { book: responses, tryValues, onBadExample: tell });
    made.set(operation, answers);

    return async (request, _replies, _context, incoming) => {
      const preferences = readPreferences(incoming.headers["prefer"]);
      const { code, example } = preferences;
      await faults?.delay();
      const fault = code === undefined ? faults?.choose(operation) : undefined;
      const wanted = {
        accepts: request.accepts ?? [],
        dynamic: preferences.dynamic ?? isDynamic,
        seed: toRequestSeed(operation, preferences, request),
      };
      const give = (chosen: Chosen, named?: string): MockAnswer =>
        answers.make({ ...wanted, ...chosen, example: named } satisfies Wanted);
      if (fault !== undefined) return toReply(operation, give(fault));
      const kept =
        code === undefined && example === undefined
          ? state?.answer({ operation, request, answers, give })
          : undefined;
      return toReply(operation, kept ?? give(choose(operation, code), example));
    };
  };
  return { makeHandler, responses, tryValues, findAnswers: (operation) => made.get(operation) };
}

function choose(operation: OperationDescriptor, code: number | undefined): Chosen {
  const chosen = code === undefined ? chooseUsual(operation) : chooseStatus(operation, code);
  if (chosen !== undefined) return chosen;
  if (code === undefined) {
    throw new HttpError("internal_error", {
      message: `"${operation.id}" declares no response that can be sent`,
    });
  }
  const known = Object.keys(operation.responses).join(", ");
  throw HttpError.refusal("not_found", {
    message: `The operation "${operation.id}" declares no response ${code}; it has ${known}`,
  });
}

function toReply({ id }: OperationDescriptor, { status, content, headers }: MockAnswer): Reply<string> {
  return new Reply(id, status, content, { ...headers, [MOCK_HEADER]: "true" });
}
