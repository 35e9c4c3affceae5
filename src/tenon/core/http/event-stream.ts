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
interface Kind {
  readonly event?: string | undefined;
  readonly text?: string | undefined;
  readonly json: boolean;
}

/** Tests whether the data of an event is JSON: the first kind that it can be decides. */
export function hasJsonData(kinds: readonly Kind[], event: string | undefined, data: unknown): boolean {
  const possible = kinds.filter((kind) => kind.event === undefined || kind.event === event);
  if (possible.some(({ text }) => text !== undefined && text === data)) return false;
  return possible.some(({ json }) => json);
}

/** Formats an event; `data` is already a text. */
export function formatEvent({ data, event, id, retry }: ServerEvent & { readonly data?: string }): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
  ];
  return `${lines.join("\n")}\n\n`;
}

/** Reads the lines of an event stream. Call {@link EventParser.read} with each line, without its end. */
export class EventParser {
  #fields: { data?: string; event?: string; retry?: number } = {};
  #id: string | undefined;

  /** The last `id`, which applies to later events too. */
  get lastId(): string | undefined {
    return this.#id;
  }

  /** @returns the event that a blank line ends. */
  read(line: string): (ServerEvent & { readonly data?: string }) | undefined {
    if (line === "") return this.#take();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data")
      this.#fields.data = this.#fields.data === undefined ? value : `${this.#fields.data}\n${value}`;
    else if (name === "event") this.#fields.event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.#fields.retry = Number(value);
    return undefined;
  }

  #take(): (ServerEvent & { readonly data?: string }) | undefined {
    const fields = this.#fields;
    this.#fields = {};
    if (Object.keys(fields).length === 0) return undefined;
    return { ...fields, ...(this.#id !== undefined && { id: this.#id }) };
  }
}
