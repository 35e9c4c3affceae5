import type { EventKind } from "../contract.js";
import { BrokenStreamError, ConnectionLostError, ItemReader } from "./items.js";
import { createConnector, type Reconnection } from "./reconnect.js";

export interface StreamCall extends Reconnection {
  readonly kinds: readonly EventKind[];
}

/** IDs that a header can have, and that servers accept: most refuse headers of more than 8 KiB. */
const IN_HEADER = /^(?:\t|\P{Cc}){0,4096}$/u;

/** Number of IDs that are remembered to recognize events that a server sends again. */
const MAX_IDS = 1_000;

/**
 * Reads the items of a response one by one, and connects again when an event stream breaks. Leaving the loop closes the connection.
 * Generated code passes it to {@link defineCall} for the operations that have such responses.
 * @example
 * const watchPets: ClientOperation = {
 *   id: "watchPets",
 *   method: "get",
 *   path: "/pets/changes",
 *   responses: [[200, "text/event-stream"]],
 *   items: { "text/event-stream": [{ json: true }] },
 *   readItems,
 * };
 * @throws {BrokenStreamError} when the stream cannot be continued without hiding that events are missing or come twice.
 */
export async function* readItems(
  first: Response,
  { operationId, kinds, reconnect: wanted, connect, ...reading }: StreamCall,
): AsyncGenerator<unknown, void> {
  const { signal } = reading;
  const reconnect = first.ok && isEventStream(first) ? wanted : undefined;
  const connectAgain = createConnector(reconnect, signal);
  const ids = new Set<string>();
  let response = first;
  let count = 0;
  let lastEventId = "";
  let retry = 0;
  let received = 0;
  const fail = (why: string, cause?: unknown) =>
    new BrokenStreamError(count, response, why, { operationId, cause });

  for (;;) {
    const reader = new ItemReader(response, kinds);
    const known = new Set(ids);
    let isNew = false;
    let last: unknown;
    let cause: unknown;
    try {
      for await (const item of reader.read(reading)) {
        const { id } = item as { readonly id?: string };
        if (id !== undefined && id !== "" && known.has(id)) {
          if (isNew) throw fail(`the server sent the event ${JSON.stringify(id)} again`);
          continue;
        }
        remember(ids, id);
        isNew = true;
        received += 1;
        last = item;
        yield item;
        count += 1;
      }
      if (reconnect?.atEnd !== true || isTerminal(last, kinds)) return;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof BrokenStreamError) throw error;
      cause = error;
      const isLost = error instanceof ConnectionLostError;
      if (!isLost || reconnect === undefined)
        throw fail((error as Error).message, isLost ? error.cause : error);
    }
    lastEventId = reader.events.lastId ?? lastEventId;
    retry = reader.events.retry ?? retry;
    if (count > 0 && lastEventId === "")
      throw fail("the connection was closed, and its events have no IDs", cause);
    if (!IN_HEADER.test(lastEventId))
      throw fail("the connection was closed, and the ID of the last event cannot be sent in a header", cause);
    const headers = lastEventId === "" ? {} : { "last-event-id": toBytes(lastEventId) };
    const next = await connectAgain({
      connect: () => connect(headers),
      accepts: (found) => found.status === 204 || (found.status === first.status && isEventStream(found)),
      fail: (why, reason, last) => {
        response = last ?? response;
        return fail(why, reason);
      },
      cause,
      retry,
      received,
      lastEventId,
    });
    if (next.status === 204) return;
    response = next;
  }
}

function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers.get("Content-Type") ?? "");
}

/** Encodes an ID as `EventSource` does: the text of a header stands for bytes. */
function toBytes(id: string): string {
  return String.fromCharCode(...new TextEncoder().encode(id));
}

function remember(ids: Set<string>, id: string | undefined): void {
  if (id === undefined || id === "") return;
  ids.delete(id);
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MAX_IDS && oldest !== undefined) ids.delete(oldest);
}

/** Tests whether an event has the only `data` that its kind can have. */
function isTerminal(item: unknown, kinds: readonly EventKind[]): boolean {
  const { data } = (item ?? {}) as { readonly data?: unknown };
  return kinds.some(({ text }) => text !== undefined && text === data);
}
