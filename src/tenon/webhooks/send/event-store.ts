/**
 * An event to deliver. Texts are as they are sent. Times are milliseconds since 1970.
 * @example
 * const onStored = ({ id, name }: StoredEvent) => console.log(id, name);
 */
export interface StoredEvent {
  /** Identifies the event for its receiver, in every attempt. */
  readonly id: string;
  /** Name of the webhook, or operation and name of the callback: `createOrder.orderShipped`. */
  readonly name: string;
  readonly method: string;
  readonly url: string;
  /** Headers of every attempt. Each attempt adds those of its signature. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The sender's name of the receiver, for its secret. */
  readonly receiver?: string | undefined;
  readonly createdAt: number;
  /** Number of failed attempts. */
  readonly attempts: number;
}

/**
 * An event that is no longer delivered.
 * @example
 * for (const { id, reason } of await sender.listDead()) console.log(id, reason);
 */
export interface DeadEvent extends StoredEvent {
  /** The last failure: `status 503`, `no response: ECONNREFUSED`, `gone`. It contains nothing that the receiver sent. */
  readonly reason: string;
}

/**
 * Keeps events until they are delivered. Implement it over your own database, so that an event is stored in the transaction that
 * stores the change; `createSqliteEventStore` is one for SQLite. Several processes may share a store.
 * @example
 * const store: EventStore = createSqliteEventStore(new DatabaseSync("events.db"));
 */
export interface EventStore {
  /** Stores an event that is due now. It survives the process when this returns, or when the transaction around it is committed. */
  add(event: StoredEvent): void | Promise<void>;
  /**
   * Claims events that are due, the oldest first. Until the time `until` no other call returns them, unless their claim has ended.
   * @returns at most `limit` events.
   */
  claim(options: ClaimOptions): readonly StoredEvent[] | Promise<readonly StoredEvent[]>;
  /** Removes a delivered event. */
  remove(id: string): void | Promise<void>;
  /** Makes an event due at a time, after one more failed attempt. */
  retry(id: string, at: number): void | Promise<void>;
  /** Ends the claim of an event whose attempt was not made: it is due again at a time. */
  release(id: string, at: number): void | Promise<void>;
  /** Makes an event a dead letter. */
  bury(id: string, reason: string): void | Promise<void>;
  /** Lists the dead letters, the oldest first. */
  listDead(limit: number): readonly DeadEvent[] | Promise<readonly DeadEvent[]>;
  /** Makes a dead letter due at a time, without attempts. @returns false if there is no such dead letter. */
  revive(id: string, at: number): boolean | Promise<boolean>;
}

/**
 * The argument of `claim` of an {@link EventStore}.
 * @example
 * const options: ClaimOptions = { now: Date.now(), until: Date.now() + 60_000, limit: 10 };
 */
export interface ClaimOptions {
  readonly now: number;
  /** End of the claim, after which the event is due again: the process that delivered it has ended. */
  readonly until: number;
  readonly limit: number;
}
