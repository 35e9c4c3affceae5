import type { OperationDescriptor } from "tenon/runtime/operation";
import { responseKey } from "tenon/runtime/response/replies";

export interface Chosen {
  /** Of `responses`: a status code, a range or `default`. */
  readonly key: string;
  readonly status: number;
}

/**
 * The response that an operation gives of itself: the lowest success, else `default`, else the first that is declared; 501 where
 * the contract says that there is nothing yet. Undefined where it declares none that can be sent.
 */
export function chooseUsual(operation: OperationDescriptor): Chosen | undefined {
  const keys = Object.keys(operation.responses);
  const [success] = keys.filter((key) => key.startsWith("2")).sort();
  const usual = operation.stub === true ? "501" : (success ?? "default");
  for (const key of [usual, ...keys]) {
    const status = key in operation.responses ? toStatus(operation, key) : undefined;
    if (status !== undefined) return { key, status };
  }
  return undefined;
}

/** The response of a status: its own, its range's or `default`. Undefined where none of them is declared. */
export function chooseStatus(operation: OperationDescriptor, status: number): Chosen | undefined {
  const key = status < 200 || status > 599 ? undefined : responseKey(operation, status);
  return key === undefined ? undefined : { key, status };
}

/** Of `default`: 200 where it stands for the success, which it does not beside one. */
const OF_DEFAULT = [200, 500, 400];

/** A status that a key of `responses` stands for: 400 for `4XX`. Undefined where there is none that can be sent. */
export function toStatus(operation: OperationDescriptor, key: string): number | undefined {
  if (/^\d+$/.test(key)) return Number(key) < 200 ? undefined : Number(key);
  const hasSuccess = Object.keys(operation.responses).some((other) => other.startsWith("2"));
  const first = Number(key.charAt(0)) * 100;
  const possible =
    key === "default"
      ? OF_DEFAULT.slice(hasSuccess ? 1 : 0)
      : Array.from({ length: 100 }, (_, n) => first + n);
  return possible.find((status) => status >= 200 && responseKey(operation, status) === key);
}
