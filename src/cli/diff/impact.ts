import type { Change } from "./change.js";
import { CODES } from "./codes.js";
import type { Verdict } from "./judge.js";
import type { Direction } from "./view.js";

/** A place in the project's own code that has to change, because the compiler refuses it with the types of the revision. */
export interface CodePlace {
  /** As it is shown: relative to the folder that the command was called in. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The compiler's: `TS2322`. */
  readonly code: string;
  /** The compiler's, on one line. */
  readonly message: string;
  /** Whether it is in a handler, in a call of the generated client, or in other code. */
  readonly role: "handler" | "call" | "other";
}

/** One reason why code that was written against the client's types of the base may not compile. */
export interface ClientBreak {
  /** Whether it is about what clients send or about what they read. */
  readonly direction: Direction;
  /** Where in a call or its answer: `params.query.limit`, `200 data.name`. */
  readonly at: string;
  /** What follows the place in a sentence: `is required now`. */
  readonly message: string;
}

/** What a change means to code. */
export interface ChangeImpact {
  /** Empty: it compiles as it is. Undefined: nobody can have written any, or the compiler was not asked. */
  readonly clients?: readonly ClientBreak[];
  /** No handler of a new operation was found. */
  readonly handlerMissing?: true;
  readonly places: readonly CodePlace[];
}

/** What everything that is different about an operation means to code. */
export interface OperationImpact extends ChangeImpact {
  /** As in {@link Change}. Undefined: the whole contract. */
  readonly operation?: string;
}

export interface Answer {
  readonly asked: boolean;
  /** Why the compiler was not asked, or what its answer leaves out. */
  readonly note?: string;
}

/** What the changes mean to code, as the compiler answers it. */
export interface Impact {
  /** Of code that calls the API through the generated client. */
  readonly clients: Answer;
  /** Of the project's own code. */
  readonly code: Answer;
  /** Operations with an answer, whether or not a change is told of them: other names of path parameters are none to callers. */
  readonly operations: readonly OperationImpact[];
  /** Places that belong to no operation. */
  readonly elsewhere: readonly CodePlace[];
}

/** Adds to each change what the compiler said of its operation; of clients only what is of the change's direction. */
export function withImpact(verdict: Verdict, impact: Impact): Verdict {
  const byOperation = new Map(impact.operations.map((found) => [found.operation, found]));
  return {
    ...verdict,
    impact,
    changes: verdict.changes.map((change) => {
      const found = byOperation.get(change.operation);
      return found === undefined ? change : { ...change, impact: toChangeImpact(change, found) };
    }),
  };
}

function toChangeImpact(
  { code }: Change,
  { clients, handlerMissing, places }: OperationImpact,
): ChangeImpact {
  const direction = CODES[code]?.direction;
  return {
    ...(clients && {
      clients: clients.filter((found) => direction === undefined || found.direction === direction),
    }),
    ...(handlerMissing && { handlerMissing }),
    places,
  };
}

/** What one change means to several operations. */
export function mergeImpacts(impacts: readonly (ChangeImpact | undefined)[]): ChangeImpact | undefined {
  const found = impacts.filter((impact) => impact !== undefined);
  if (found.length === 0) return undefined;
  const clients = found.flatMap((impact) => (impact.clients === undefined ? [] : [impact.clients]));
  return {
    ...(clients.length > 0 && { clients: unique(clients.flat()) }),
    ...(found.some(({ handlerMissing }) => handlerMissing) && { handlerMissing: true }),
    places: unique(found.flatMap(({ places }) => places)),
  };
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
