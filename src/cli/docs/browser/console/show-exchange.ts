import { toMediaKind } from "tenon/core/http";
import type { WireRequest } from "../../../verify/messages/index.js";
import { explainStatus, isForbiddenHeader } from "../../console/explain.js";
import { formatJson } from "../../console/json-text.js";
import type { ResponseVerdict, Violation } from "../../console/verdict.js";
import { create, createButton, createDetails, createText } from "../dom.js";
import type { Arrival } from "./send.js";

/** @param items Violations of the contract, each as the content of a list item. */
export function showVerdict(
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
    create("p", {}, create("strong", {}, title)),
    items.length === 0 ? undefined : create("ul", {}, ...items.map((item) => create("li", {}, ...item))),
    createText("faint", notes.length === 0 ? "" : `Not validated: ${notes.join("; ")}.`),
  );
}

/**
 * Shows a response with its times, the contract's verdict, its headers and its body.
 * @param keyHint Explains a 401.
 * @param getNext Gets the next page, where there is one that the page may call.
 */
export function showResponse(
  response: Arrival,
  verdict: ResponseVerdict,
  keyHint?: string,
  getNext?: () => void,
): HTMLElement {
  const { status, statusText, headers, times, isOwnOrigin } = response;
  const body = showBody(response, verdict.violations);
  const facts = ` headers after ${toMs(times.headers)}, all after ${toMs(times.end)}, ${response.body.length} bytes`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return create(
    "div",
    {},
    create(
      "p",
      { class: "status" },
      create("strong", { class: `class-${String(status).charAt(0)}` }, `${status} ${statusText}`.trim()),
      create("span", { class: "faint" }, facts),
    ),
    create("p", {}, verdict.meaning ?? "The contract does not declare this status."),
    createText("notice", keyHint),
    createText("notice", explainStatus(status, headers, Date.now())),
    showResponseVerdict(verdict, body),
    getNext && create("p", {}, createButton("Get the next page", getNext)),
    create("h3", {}, "Body"),
    body.element,
    createDetails(
      `Headers (${lines.length})`,
      createPre("Headers", lines.join("\n")),
      createText("faint", isOwnOrigin ? "" : HIDDEN_HEADERS),
    ),
  );
}

const HIDDEN_HEADERS =
  "From another origin, browsers show pages only the headers that the response names in Access-Control-Expose-Headers, and a few more.";

export function toMs(time: number): string {
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}

function createPre(label: string, ...content: readonly (Node | string)[]): HTMLElement {
  return create("pre", { tabindex: "0", "aria-label": label }, ...content);
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
  /** The line of the value at a JSON pointer. */
  readonly findLine?: (pointer: string) => HTMLElement | undefined;
}

/** Addresses of bodies that the page holds; they are released when the next response is shown. */
const held: string[] = [];

/** Shows a response's body: JSON formatted, with its violations marked; text; an image; anything else as a file to save. */
function showBody({ body, headers, isCut }: Arrival, violations: readonly Violation[]): ShownBody {
  for (const address of held.splice(0)) URL.revokeObjectURL(address);
  if (body.length === 0) return { element: create("p", { class: "faint" }, "No body.") };
  const contentType = headers["content-type"] ?? "";
  const address = URL.createObjectURL(new Blob([body], { type: contentType }));
  held.push(address);
  const save = create("a", { href: address, download: toFileName(contentType) }, "Save the body");
  const cut = createText("mistake", isCut ? "The response is longer: the rest was not read." : "");
  const frame = (...shown: readonly (Node | undefined)[]) =>
    create("div", {}, cut, ...shown, create("p", {}, save));
  const kind = toMediaKind(contentType);
  if (contentType.startsWith("image/"))
    return { element: frame(create("img", { src: address, alt: "The response's body" })) };
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
  const wrong = new Set(violations.map(({ at }) => (at === undefined ? undefined : json.lines.get(at))));
  const lines = json.formatted
    .split("\n")
    .map((line, index) => create(wrong.has(index + 1) ? "mark" : "span", { class: "line" }, `${line}\n`));
  return {
    element: frame(createPre("Body", ...lines)),
    findLine: (pointer) => lines[(json.lines.get(pointer) ?? 0) - 1],
  };
}

function tryFormat(text: string) {
  try {
    return formatJson(text);
  } catch {
    return undefined;
  }
}

function toFileName(contentType: string): string {
  const [, subtype = ""] = /^\w+\/(?:[\w.-]+\+)?([a-z\d]+)/i.exec(contentType) ?? [];
  return `response.${subtype === "" || subtype === "octet" ? "bin" : subtype}`;
}

/** Shows a request as it was sent, with variables in the place of keys, and as a line for a shell. */
export function showRequest(
  { method, shownPath, headers, body }: WireRequest,
  base: string,
  curl: string,
): HTMLElement {
  const sent = headers.filter(({ name }) => !isForbiddenHeader(name));
  const withheld = headers.filter(({ name }) => isForbiddenHeader(name)).map(({ name }) => name);
  const lines = [
    `${method} ${base}${shownPath}`,
    ...sent.map(({ name, shown }) => `${name}: ${shown}`),
    ...(body === undefined ? [] : ["", toText(body)]),
  ];
  const note = `The browser adds headers of its own, which no page sees${withheld.length === 0 ? "" : `, and does not send ${withheld.join(", ")}`}.`;
  const status = create("span", { role: "status", class: "faint" });
  const say = (text: string) => () => {
    status.textContent = text;
  };
  const refused = " The browser does not allow it: select and copy the line.";
  const copy = createButton("Copy the curl line", () => {
    navigator.clipboard.writeText(curl).then(say(" Copied."), say(refused));
  });
  return createDetails(
    "Request as it was sent",
    createPre("Request", lines.join("\n")),
    create("p", { class: "faint" }, note),
    createPre("curl", curl),
    create("p", {}, copy, status),
  );
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
