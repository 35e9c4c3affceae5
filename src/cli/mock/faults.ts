import { setTimeout } from "node:timers/promises";
import type { OperationDescriptor } from "tenon/runtime/operation";
import { type Chosen, toStatus } from "./choose-response.js";
import { toSeed } from "./values.js";

/** What clients have to live with. */
export interface Faults {
  /** Resolves when the answer's time has come. */
  delay(): Promise<void>;
  /** An error that the operation declares, for the share of answers that are to be one; else undefined. */
  choose(operation: OperationDescriptor): Chosen | undefined;
}

export interface FaultOptions {
  /** Milliseconds before each answer, anything between the two. Default: none. */
  readonly delay?: readonly [least: number, most: number];
  /** Share of the answers that are errors, 0 to 1. Default: 0. */
  readonly errors?: number;
  /** The same gives the same delays and errors, request after request. */
  readonly seed: string;
}

export function createFaults({ delay: [least, most] = [0, 0], errors = 0, seed }: FaultOptions): Faults {
  let delays = 0;
  let choices = 0;
  const declared = new Map<OperationDescriptor, readonly Chosen[]>();

  function findErrors(operation: OperationDescriptor): readonly Chosen[] {
    const known = declared.get(operation) ?? listErrors(operation);
    declared.set(operation, known);
    return known;
  }

  return {
    async delay() {
      if (most === 0) return;
      delays += 1;
      await setTimeout(least + toShare(seed, "delay", delays) * (most - least));
    },
    choose(operation) {
      if (errors === 0) return undefined;
      choices += 1;
      if (toShare(seed, "error", choices) >= errors) return undefined;
      const possible = findErrors(operation);
      return possible[Math.floor(toShare(seed, "which", choices) * possible.length)];
    },
  };
}

/** The errors that a service can always answer with, and no request asks for: 429 and 5xx, as far as they are declared. */
function listErrors(operation: OperationDescriptor): readonly Chosen[] {
  return Object.keys(operation.responses).flatMap((key) => {
    const status = /^(?:429|5\d\d|5XX)$/i.test(key) && key !== "501" ? toStatus(operation, key) : undefined;
    return status === undefined ? [] : [{ key, status }];
  });
}

/** 0 to 1, without 1. */
function toShare(...parts: readonly unknown[]): number {
  return (toSeed(...parts) >>> 0) / 2 ** 32;
}
