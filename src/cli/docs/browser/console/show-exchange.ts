import { toMediaKind } from "tenon/core/http";
import type { WireRequest } from "../../../verify/messages/index.js";
import { explainStatus } from "../../console/explain.js";
import { formatJson } from "../../console/json-text.js";
import type { RequestVerdict, ResponseVerdict, Violation } from "../../console/verdict.js";
import { create, createButton, createCopyButton, createText } from "../dom.js";
import { createTabs } from "../reference/tabs.js";
import { highlightJson, type Items, toMs } from "./items.js";
import { type Arrival, isForbiddenHeader } from "./send.js";

/** @param items Violations of the contract, each as the content of a list item. */
function showVerdict(
  about: "request" | "response",
  title: string,
  items: readonly (readonly (Node | string)[])[],
  notes: readonly string[],
): HTMLElement {
  return create(
    "section",
    {
      class: items.length === 0 ? "verdict good" : "verdict bad",
      "aria-label": `The contract's verdict on the ${about}`,
    },
    create("p", {}, title),
    items.length === 0 ? undefined : create("ul", {}, ...items.map((item) => create("li", {}, ...item))),
    createText("hint", notes.length === 0 ? "" : `Not validated: ${notes.join("; ")}.`),
  );
}

export function showRequestVerdict({ mistakes, notes }: RequestVerdict): HTMLElement {
  const title =
    mistakes.length === 0
      ? "The request is valid."
      : "The request violates the contract. You can send it anyway.";
  return showVerdict(
    "request",
    title,
    mistakes.map(({ message }) => [message]),
    notes,
  );
}

export interface Exchange {
  readonly response: Arrival;
  readonly verdict: ResponseVerdict;
  readonly wire: WireRequest;
  readonly base: string;
  readonly curl: string;
  /** The items of a stream, as they were shown. */
  readonly items: Items | undefined;
  /** Explains a 401. */
  readonly keyHint: string | undefined;
  /** Gets the next page, where there is one that the page may call. */
  readonly getNext: (() => void) | undefined;
}

/** Shows a response with its times, the contract's verdict, its body and headers, and the request as it was sent. */
export function showExchange(exchange: Exchange): readonly HTMLElement[] {
  const { response, verdict, wire, base, curl, items, keyHint, getNext } = exchange;
  const { status, statusText, headers, times, isOwnOrigin } = response;
  const body = items === undefined ? showBody(response, verdict.violations) : showItems(response, items);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const facts = [toMs(times.end), `headers after ${toMs(times.headers)}`, toSize(response.body.length)];
  const meaning = verdict.meaning ?? "The contract does not declare this status.";
  const shown = [
    create(
      "p",
      { class: `status-line class-${String(status).charAt(0)}` },
      create("strong", {}, `${status} ${statusText}`.trim()),
      ...facts.map((fact) => create("span", {}, fact)),
    ),
    createText("meaning", meaning),
    createText("notice", keyHint),
    createText("notice", explainStatus(status, headers, Date.now())),
    showResponseVerdict(verdict, body),
    getNext && create("p", {}, createButton("Get the next page", getNext)),
    createPanels([
      [items === undefined ? "Body" : "Items", body.element],
      [
        `Headers (${lines.length})`,
        create(
          "div",
          {},
          createPre("Headers", lines.join("\n")),
          createText("hint", isOwnOrigin ? "" : HIDDEN_HEADERS),
        ),
      ],
      ...listRequestPanels(wire, base, curl),
    ]),
  ];
  return shown.filter((element) => element !== undefined);
}

const HIDDEN_HEADERS =
  "From another origin, browsers show pages only the headers that the response names in Access-Control-Expose-Headers, and a few more.";

function toSize(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

type LabelledPanel = readonly [label: string, content: HTMLElement];

/** Creates tabs as those of the reference. */
export function createPanels(panels: readonly LabelledPanel[]): HTMLElement {
  const all = panels.map(([label, content]) =>
    create("section", { class: "panel", "data-label": label }, content),
  );
  const tabs = create("div", { class: "tabs", "data-name": "Response and request" }, ...all);
  createTabs(tabs);
  return tabs;
}

function createPre(label: string, ...content: readonly (Node | string)[]): HTMLElement {
  const code = create("code", {}, ...content);
  const pre = create("pre", { tabindex: "0", "aria-label": label }, code);
  return create(
    "div",
    { class: "code" },
    pre,
    createCopyButton("Copy", () => code.textContent),
  );
}

function showResponseVerdict({ violations, valid, notes }: ResponseVerdict, body: ShownBody): HTMLElement {
  const title =
    violations.length === 0
      ? `The response is valid${valid.length === 0 ? "" : `: ${valid.join(", ")} as declared`}.`
      : violations.length === 1
        ? "The response violates the contract:"
        : `The response violates the contract in ${violations.length} ways:`;
  const items = violations.map(({ message, at }) => {
    const line = at === undefined ? undefined : body.findLine?.(at);
    const go = () => line?.scrollIntoView({ block: "center" });
    return line === undefined ? [message] : [message, " ", createButton(`show ${at ?? ""}`, go)];
  });
  return showVerdict("response", title, items, notes);
}

/** Longer text is cut, in characters; all of it can be saved. */
const MAX_TEXT = 200_000;

interface ShownBody {
  readonly element: HTMLElement;
  /** The line or item with the value at a JSON pointer. */
  readonly findLine?: (pointer: string) => Element | undefined;
}

/** Shows a response's body: JSON formatted, with its violations marked; text; an image; anything else as a file to save. */
function showBody(response: Arrival, violations: readonly Violation[]): ShownBody {
  const { body, headers } = response;
  if (body.length === 0) return { element: create("p", { class: "hint" }, "No body.") };
  const contentType = headers["content-type"] ?? "";
  const kind = toMediaKind(contentType);
  const link = createDownload(response);
  const frame = (...shown: readonly (Node | undefined)[]) =>
    create("div", {}, showEnd(response), ...shown, link);
  if (contentType.startsWith("image/"))
    return {
      element: frame(create("img", { src: toImage(body, contentType), alt: "The response's body" })),
    };
  if (kind !== "json" && kind !== "text" && kind !== "form") {
    const size = `${body.length} bytes of ${contentType || "no media type"}.`;
    return { element: frame(create("p", {}, size)) };
  }
  const text = new TextDecoder().decode(body);
  const json = kind === "json" && text.length <= MAX_TEXT ? tryFormat(text) : undefined;
  if (json === undefined) {
    const rest = text.length - MAX_TEXT;
    const note = `${rest} more characters are not shown; save the body to see them.`;
    const pre = createPre("Body", text.slice(0, MAX_TEXT));
    return { element: frame(pre, createText("mistake", rest > 0 ? note : "")) };
  }
  const wrong = new Set(violations.map(({ at }) => (at === undefined ? undefined : json.findLine(at))));
  const lines = json.formatted
    .split("\n")
    .map((line, index) => create(wrong.has(index + 1) ? "mark" : "span", {}, ...highlightJson(`${line}\n`)));
  return {
    element: frame(createPre("Body", ...lines)),
    findLine: (pointer) => lines[(json.findLine(pointer) ?? 0) - 1],
  };
}

function showItems(response: Arrival, { element, find }: Items): ShownBody {
  return { element: create("div", {}, showEnd(response), element, createDownload(response)), findLine: find };
}

const ENDS = {
  whole: "",
  cut: "The response is longer: the rest was not read.",
  stopped: "You stopped the stream.",
  lost: "The connection was lost before the stream ended.",
};

function showEnd({ end }: Arrival): HTMLElement | undefined {
  return createText("hint", ENDS[end]);
}

/** Addresses of bodies that the page holds, by panel: they are released when its next response is shown. */
const held: string[] = [];

/** How many bodies can be saved. */
const MAX_HELD = 20;

function hold(body: Uint8Array<ArrayBuffer>, type: string): string {
  const address = URL.createObjectURL(new Blob([body], { type }));
  held.push(address);
  for (const old of held.splice(0, held.length - MAX_HELD)) URL.revokeObjectURL(old);
  return address;
}

/** Scripts of an SVG would run in the origin of the docs if it was opened in its own tab; a `data:` URL has no origin. */
function toImage(body: Uint8Array<ArrayBuffer>, contentType: string): string {
  if (!/^image\/svg/i.test(contentType)) return hold(body, contentType);
  return `data:image/svg+xml,${encodeURIComponent(new TextDecoder().decode(body))}`;
}

function createDownload({ body, headers }: Arrival): HTMLAnchorElement {
  // In a tab of its own, HTML of a service would have the origin of the docs.
  const href = hold(body, "application/octet-stream");
  const download = toFileName(headers["content-type"] ?? "", headers["content-disposition"] ?? "");
  return create("a", { class: "download", href, download }, "Save the body");
}

/** Browsers leave the folder of a name out. */
function toFileName(contentType: string, disposition: string): string {
  const given = /;\s*filename="?([^";]+)/i.exec(disposition)?.[1];
  const [, subtype = ""] = /^\w+\/(?:[\w.-]+\+)?([a-z\d]+)/i.exec(contentType) ?? [];
  return given ?? `response.${subtype === "" || subtype === "octet" ? "bin" : subtype}`;
}

function tryFormat(text: string) {
  try {
    return formatJson(text);
  } catch {
    return undefined;
  }
}

/** Shows a request as it was sent, with variables in the place of keys, and as a line for a shell. */
export function listRequestPanels(
  { method, shownPath, headers, body }: WireRequest,
  base: string,
  curl: string,
): readonly LabelledPanel[] {
  const sent = headers.filter(({ name }) => !isForbiddenHeader(name));
  const withheld = headers.filter(({ name }) => isForbiddenHeader(name)).map(({ name }) => name);
  const lines = [
    `${method} ${base}${shownPath}`,
    ...sent.map(({ name, shown }) => `${name}: ${shown}`),
    ...(body === undefined ? [] : ["", toText(body)]),
  ];
  const note = `The browser adds headers of its own, which no page sees${withheld.length === 0 ? "" : `, and does not send ${withheld.join(", ")}`}.`;
  return [
    [
      "Request",
      create("div", {}, createPre("Request", lines.join("\n")), create("p", { class: "hint" }, note)),
    ],
    ["curl", createPre("curl", curl)],
  ];
}

/** Longer bodies of requests are cut, in bytes. */
const MAX_SENT = 20_000;

function toText(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.slice(0, MAX_SENT));
  const rest = body.length - MAX_SENT;
  // Files have bytes that are not text.
  const plain = text.replaceAll(/[^\P{Cc}\t\n\r]|\uFFFD/gu, "·");
  return rest > 0 ? `${plain}\n… and ${rest} bytes more` : plain;
}
