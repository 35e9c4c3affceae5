import { formatJson } from "../json/format-json.js";

/**
 * A server-sent event. `data` is a text, or a value that is sent as JSON.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export interface ServerEvent {
  readonly data?: unknown;
  readonly event?: string;
  readonly id?: string;
  /** Milliseconds after which the client connects again. */
  readonly retry?: number;
}

/** A kind of event, as the contract declares it. */
export interface EventKind {
  /** The only value of `event`. Absent if it has another, or none. */
  readonly event?: string | undefined;
  /** The only text of `data`, for example `[DONE]`. */
  readonly text?: string | undefined;
  /** True if `data` is JSON. */
  readonly json: boolean;
}

/** Tests whether the data of an event is JSON: the first kind that it can be decides. */
export function hasJsonData(kinds: readonly EventKind[], event: string | undefined, data: unknown): boolean {
  let isJson = false;
  for (const kind of kinds) {
    if (kind.event !== undefined && kind.event !== (event ?? "message")) continue;
    if (kind.text !== undefined && kind.text === data) return false;
    isJson ||= kind.json;
  }
  return isJson;
}

/**
 * Creates the function that formats events. The data of a kind that is JSON is any value, and otherwise a text.
 * The function throws a `TypeError` for a line break in another field, which would begin one more.
 */
export function createEventFormatter(kinds: readonly EventKind[]): (event: ServerEvent) => string {
  const lines = new Map<string, string>();
  // Checked once: a stream has few names, and many events.
  for (const { event = "" } of kinds) if (!LINE_BREAK.test(event)) lines.set(event, `event: ${event}\n`);
  return ({ data, event, id, retry }) => {
    let text = event === undefined ? "" : (lines.get(event) ?? `event: ${toLine("event", event)}\n`);
    // JSON is one line.
    if (typeof data !== "string" || hasJsonData(kinds, event, data))
      text += data === undefined ? "" : `data: ${formatJson(data)}\n`;
    else for (const line of data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`;
    if (id !== undefined) text += `id: ${toLine("id", id)}\n`;
    if (retry !== undefined) text += `retry: ${toLine("retry", String(retry))}\n`;
    return `${text}\n`;
  };
}

const LINE_BREAK = /[\r\n\0]/;

function toLine(name: string, text: string): string {
  if (LINE_BREAK.test(text)) throw new TypeError(`The ${name} of an event must not contain a line break`);
  return text;
}

/** Reads the lines of an event stream. */
export class EventParser {
  #fields: { data?: string; event?: string; id?: string; retry?: number } = {};
  #lastId: string | undefined;
  #retry: number | undefined;

  /** The ID with which the stream can be continued; empty if the server has taken it back, undefined if it has sent none. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** Number of characters of an event that has not ended. */
  get size(): number {
    return this.#fields.data?.length ?? 0;
  }

  /** The last `retry` of the stream, in milliseconds. */
  get retry(): number | undefined {
    return this.#retry;
  }

  /**
   * Reads a line without its end.
   * @returns the event that a blank line ends. Fields without `data` are left out, but their `id` and `retry` count.
   */
  read(line: string): (ServerEvent & { readonly data: string }) | undefined {
    const fields = this.#fields;
    if (line === "") {
      this.#fields = {};
      this.#lastId = fields.id ?? this.#lastId;
      const { data } = fields;
      return data === undefined ? undefined : { ...fields, data };
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`;
    else if (name === "event") fields.event = value;
    else if (name === "id" && !value.includes("\0")) fields.id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.#retry = fields.retry = Number(value);
    return undefined;
  }
}
