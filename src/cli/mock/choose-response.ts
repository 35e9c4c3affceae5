import { findResponse } from "tenon/core/http";
import type { Operation, Response } from "tenon/core/model";

/** A declared response, and the status code to send it with. */
export interface Chosen {
  readonly response: Response;
  readonly status: number;
}

/**
 * Chooses an operation's usual response: its lowest success, else `default`, else the first that can be sent; 501 where the
 * contract declares that the operation does not exist yet.
 * @returns undefined when no declared response can be sent.
 */
export function chooseUsual(operation: Operation): Chosen | undefined {
  const { responses, stub } = operation;
  const [success = "default"] = listSuccesses(operation).sort();
  const usual = responses.filter(({ status }) => status === (stub ? "501" : success));
  for (const response of [...usual, ...responses]) {
    const status = toStatus(operation, response);
    if (status !== undefined) return { response, status };
  }
  return undefined;
}

/** The response that declares a status. */
export function chooseStatus({ responses }: Operation, status: number): Chosen | undefined {
  const response = status < 200 || status > 599 ? undefined : findResponse(responses, status);
  return response && { response, status };
}

/** The keys of `responses` that are successes. */
export function listSuccesses({ responses }: Operation): string[] {
  return responses.map(({ status }) => status).filter((status) => status.startsWith("2"));
}

/** `default` stands for a success only where no other is declared. */
const OF_DEFAULT = [200, 500, 400];

/** A status code for a declared response: 400 for `4XX`. Undefined when none can be sent. */
export function toStatus(operation: Operation, response: Response): number | undefined {
  const { status: key } = response;
  if (/^\d+$/.test(key)) return Number(key) < 200 ? undefined : Number(key);
  const first = Number(key.charAt(0)) * 100;
  const possible =
    key === "default"
      ? OF_DEFAULT.slice(listSuccesses(operation).length > 0 ? 1 : 0)
      : Array.from({ length: 100 }, (_, n) => first + n);
  return possible.find((status) => status >= 200 && findResponse(operation.responses, status) === response);
}
