import { toMediaKind } from "tenon/core/http";
import { formatJson } from "../../console/json-text.js";
import type { AnswerFault } from "../../console/verdict.js";
import { create } from "./dom.js";
import type { Arrival } from "./send.js";

/** Of a text more is not shown, in characters; all of it can be saved. */
const MOST_SHOWN = 200_000;

export interface ShownBody {
  readonly element: HTMLElement;
  /** The line that a JSON pointer leads to; undefined where no lines are told. */
  findLine(pointer: string): HTMLElement | undefined;
}

/** Addresses of what the page holds; they are let go when the next answer is shown. */
const held: string[] = [];

/** An answer's body: JSON formatted, with what is wrong marked; text; an image; anything else to be saved. */
export function showBody({ body, headers, isCut }: Arrival, faults: readonly AnswerFault[]): ShownBody {
  for (const address of held.splice(0)) URL.revokeObjectURL(address);
  if (body.length === 0)
    return { element: create("p", { class: "faint" }, "No body."), findLine: () => undefined };
  const contentType = headers["content-type"] ?? "";
  const address = URL.createObjectURL(new Blob([body], { type: contentType }));
  held.push(address);
  const save = create("a", { href: address, download: toFileName(contentType) }, "Save the body");
  const cut = isCut
    ? create("p", { class: "mistake" }, "The answer is longer: no more of it was read.")
    : undefined;
  const frame = (...shown: readonly (Node | undefined)[]) =>
    create("div", {}, cut, ...shown, create("p", {}, save));
  const kind = toMediaKind(contentType);
  if (contentType.startsWith("image/"))
    return {
      element: frame(create("img", { src: address, alt: "The answer's body" })),
      findLine: () => undefined,
    };
  if (kind !== "json" && kind !== "text" && kind !== "form")
    return {
      element: frame(create("p", {}, `${body.length} bytes of ${contentType || "no media type"}.`)),
      findLine: () => undefined,
    };
  const text = new TextDecoder().decode(body);
  const json = kind === "json" && text.length <= MOST_SHOWN ? tryFormat(text) : undefined;
  if (json !== undefined) {
    const wrong = new Set(faults.flatMap(({ at }) => (at === undefined ? [] : (json.lines.get(at) ?? []))));
    const lines = json.formatted
      .split("\n")
      .map((line, index) => create(wrong.has(index + 1) ? "mark" : "span", { class: "line" }, `${line}\n`));
    const pre = create("pre", { tabindex: "0", "aria-label": "Body" }, ...lines);
    return { element: frame(pre), findLine: (pointer) => lines[(json.lines.get(pointer) ?? 0) - 1] };
  }
  const rest = text.length - MOST_SHOWN;
  const told =
    rest > 0
      ? create("p", { class: "mistake" }, `${rest} more characters are not shown; save the body to see them.`)
      : undefined;
  const pre = create("pre", { tabindex: "0", "aria-label": "Body" }, text.slice(0, MOST_SHOWN));
  return { element: frame(pre, told), findLine: () => undefined };
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
  return `answer.${subtype === "" || subtype === "octet" ? "bin" : subtype}`;
}
