import type { OperationDescriptor } from "./operation.js";
import { Reply, type ReplyContent, type ReplyOptions } from "./reply.js";

type Options = ReplyOptions<Readonly<Record<string, string | number | readonly string[] | undefined>>>;
export type ReplyMethods = Readonly<Record<string, (...parameters: never[]) => Reply<string>>>;

/**
 * The `reply` object of an operation: one method a declared status. `reply[200](body, options)`, without a body
 * `reply[204](options)`; a range or `default` takes the status first: `reply["4XX"](422, body)`.
 */
export function createReplies({ id, responses }: OperationDescriptor): ReplyMethods {
  const methods = Object.entries(responses).map(([key, { mediaTypes }]) => {
    const [mediaType] = mediaTypes;
    const reply = (status: number, parameters: readonly unknown[]): Reply<string> => {
      const content: ReplyContent | undefined =
        mediaType === undefined ? undefined : { mediaType, body: parameters[0] };
      const options = (mediaType === undefined ? parameters[0] : parameters[1]) as Options | undefined;
      return new Reply(id, status, content, options?.headers ?? {});
    };
    const status = Number(key);
    return Number.isInteger(status)
      ? ([key, (...parameters: unknown[]) => reply(status, parameters)] as const)
      : ([key, (chosen: number, ...parameters: unknown[]) => reply(chosen, parameters)] as const);
  });
  return Object.freeze(Object.fromEntries(methods));
}

/** The key of `responses` that declares a status: the code itself, then its range, then `default`. */
export function responseKey({ responses }: OperationDescriptor, status: number): string | undefined {
  return [String(status), `${String(status).charAt(0)}XX`, "default"].find((key) => key in responses);
}
