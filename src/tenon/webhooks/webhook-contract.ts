import { assertGeneratedVersion } from "../core/version/index.js";
import { type Contract, type OutgoingOperation, toOutgoingOperations } from "../core/model/index.js";
import { loadContract } from "../runtime/contract/contract.js";

declare const types: unique symbol;

/**
 * The webhooks and callbacks of a contract: the constant `webhooks` of the generated `server.ts`.
 * @example
 * const contract: WebhookContract<Webhooks, Callbacks> = webhooks;
 * const sender = createWebhookSender(contract, { secret, store: events });
 */
export interface WebhookContract<Webhooks, Callbacks> {
  /** Version of Tenon that it was generated for: `0.1`. */
  readonly tenon: string;
  /** The bundled contract. */
  readonly contractUrl: URL;
  /** Only for the compiler. */
  readonly [types]?: { readonly webhooks: Webhooks; readonly callbacks: Callbacks };
}

/** The requests that a service sends, as operations of their receivers. */
export interface SentRequests {
  readonly contract: Contract;
  readonly webhooks: readonly OutgoingOperation[];
  /** Callbacks by `operationId`. */
  readonly callbacks: ReadonlyMap<string, readonly OutgoingOperation[]>;
}

/** @throws {Error} when the code was generated for another version of Tenon, or the contract cannot be read. */
export function readSentRequests({ tenon, contractUrl }: WebhookContract<unknown, unknown>): SentRequests {
  assertGeneratedVersion(tenon);
  return toSentRequests(loadContract(contractUrl));
}

export function toSentRequests(contract: Contract): SentRequests {
  return {
    contract,
    webhooks: toOutgoingOperations(contract.webhooks),
    callbacks: new Map(
      contract.operations.flatMap(({ id, callbacks }) =>
        callbacks.length > 0 ? [[id, toOutgoingOperations(callbacks)] as const] : [],
      ),
    ),
  };
}
