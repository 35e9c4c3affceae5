import { HttpError, unavailable } from "../errors/http-error.js";
import { discardItems, type WrittenItems } from "../response/items.js";
import { ItemStream } from "../streams/item-stream.js";
import { STREAM_HEADERS } from "../streams/stream-headers.js";
import type { Reply } from "../response/reply.js";
import { setHead } from "../response/respond.js";
import type { Admission, StreamLimits } from "./options.js";
import type { Call } from "./run-operation.js";

/** Sends a reply with items. The promise settles at the end of the stream. */
export type SendItems = (reply: Reply<string>, admission: Admission<unknown>, call: Call) => Promise<void>;

/** Creates the function that sends streams of items as long as there are not too many. */
export function createItemSender({
  max = Infinity,
  maxPerCaller = Infinity,
  toCaller = ({ request }) => request.ip,
}: StreamLimits<unknown> = {}): SendItems {
  let open = 0;
  const openByCaller = new Map<unknown, number>();

  /** @returns a function to call at the end of the stream. */
  const admit = (admission: Admission<unknown>): (() => void) => {
    if (open >= max) throw unavailable();
    const caller = maxPerCaller === Infinity ? undefined : toCaller(admission);
    const count = openByCaller.get(caller) ?? 0;
    if (caller !== undefined && count >= maxPerCaller)
      throw HttpError.refusal("too_many_requests", {
        message: `Too many open streams; the limit is ${maxPerCaller}`,
        headers: { "Retry-After": "1" },
      });
    open += 1;
    if (caller !== undefined) openByCaller.set(caller, count + 1);
    return () => {
      open -= 1;
      if (caller === undefined) return;
      const rest = (openByCaller.get(caller) ?? 1) - 1;
      if (rest > 0) openByCaller.set(caller, rest);
      else openByCaller.delete(caller);
    };
  };

  return async ({ status, headers, content }, admission, { response, observer }) => {
    const written = content?.body as WrittenItems;
    let release: () => void;
    try {
      release = admit(admission);
    } catch (error) {
      discardItems(written.source);
      throw error;
    }
    const stream = new ItemStream(response, written, () => {
      setHead(response, { status, headers: { ...STREAM_HEADERS[written.format], ...headers }, content });
    });
    observer?.streamBegan?.(stream);
    try {
      await stream.send();
    } finally {
      release();
      observer?.streamEnded?.(stream);
    }
  };
}
