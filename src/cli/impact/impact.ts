import type { Side as Direction } from "tenon/core/schema";

/** A place in the project's own code that does not compile with the types of the revision. */
export interface CodePlace {
  /** Relative to the folder that the command was called in. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The compiler's code: `TS2322`. */
  readonly code: string;
  /** The compiler's message, on one line. */
  readonly message: string;
  /** In a handler, in a call of the generated client, or in other code. */
  readonly role: "handler" | "call" | "other";
}

/** One reason why code that uses the client of the base may not compile. */
export interface ClientBreak {
  /** Concerns the values that clients send, or those that they receive. */
  readonly direction: Direction;
  /** Place in a call or its response: `params.query.limit`, `200 data.name`. */
  readonly at: string;
  /** Follows the place in a sentence: `is required now`. */
  readonly message: string;
}

/** Consequences of a change for code. */
export interface ChangeImpact {
  /** Empty: clients compile unchanged. Undefined: no client can call it yet, or the compiler was not asked. */
  readonly clients?: readonly ClientBreak[];
  /** A new operation has no handler. */
  readonly handlerMissing?: true;
  readonly places: readonly CodePlace[];
}

/** Consequences of all changes of an operation for code. */
export interface OperationImpact extends ChangeImpact {
  /** `GET /pets`. Undefined: the whole contract. */
  readonly operation?: string;
}

/** The compiler's check of some code, unless it was not asked. */
export interface CompilerCheck {
  readonly asked: boolean;
  /** The reason why the compiler was not asked, or the part that it did not check. */
  readonly note?: string | undefined;
}

/** Consequences of all changes for code, according to the compiler. */
export interface Impact {
  /** Code that calls the API through the generated client. */
  readonly clients: CompilerCheck;
  /** The project's own code. */
  readonly code: CompilerCheck;
  /** Affected operations. Not all have a change: renamed path parameters affect code and not callers. */
  readonly operations: readonly OperationImpact[];
  /** Places outside of all operations. */
  readonly elsewhere: readonly CodePlace[];
}
