import type { Request } from "express";
import { isNode } from "../core/document/index.js";
import type { Operation } from "../core/model/index.js";
import { HttpError } from "../runtime/errors/http-error.js";
import type { Enforcement } from "../runtime/routing/router.js";
import { isSafe } from "./tools.js";

/** One operation for each way to authenticate; only one if there is a tool that anyone may call. */
export function listAuthentications(offered: readonly Operation[]): readonly Operation[] {
  const bySecurity = new Map(offered.map((operation) => [JSON.stringify(operation.security), operation]));
  const operations = [...bySecurity.values()];
  const open = operations.find(isOpen);
  return open ? [open] : operations.sort((a, b) => Number(isSafe(b)) - Number(isSafe(a)));
}

function isOpen({ security }: Operation): boolean {
  return security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0);
}

type Admission = Parameters<NonNullable<Enforcement["admit"]>>[0];

/** Who sends a message: the principals, and the operation that accepts their credentials. */
export type Caller = Pick<Admission, "operationId" | "auth">;

/**
 * Authenticates a request by the first operation that accepts its credentials.
 * @returns undefined if there are no operations.
 * @throws what the first authenticator threw, when none accepts them.
 */
export async function authenticateFirst(
  operations: readonly Operation[],
  request: Request,
  authenticate: Enforcement["authenticate"],
): Promise<Caller> {
  let refused: unknown;
  for (const operation of operations) {
    try {
      return { operationId: operation.id, auth: await authenticate(operation, request) };
    } catch (error) {
      // Anyone may list the tools: a wrong credential is refused where it is needed.
      if (isOpen(operation)) return { operationId: operation.id, auth: undefined };
      refused ??= error;
    }
  }
  // Whatever an authenticator has thrown.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  if (refused !== undefined) throw refused;
  return { operationId: "", auth: undefined };
}

/** Tests for a call, which counts as the request that it makes. */
export function isToolCall(message: unknown): boolean {
  return isNode(message) && message["method"] === "tools/call";
}

/** Counts a message for the limits of its caller. */
export interface CountMessage {
  /** The message has counted: itself, or as the request that it made. */
  isDone: boolean;
  /**
   * Counts the message unless it has counted.
   * @throws {HttpError} when the caller has sent too much.
   */
  now(): Promise<void>;
}

/** Statuses of limits. What `admit` permits is decided for each operation that is called. */
const LIMITS: ReadonlySet<number> = new Set([429, 503]);

/** Creates the count of a message that is not a request to an operation, but must not cost the service more than one. */
export function countMessage(admit: Enforcement["admit"], admission: Admission): CountMessage {
  return {
    isDone: false,
    async now() {
      if (this.isDone) return;
      this.isDone = true;
      try {
        await admit?.(admission);
      } catch (error) {
        if (!(error instanceof HttpError) || LIMITS.has(error.status)) throw error;
      }
    },
  };
}
