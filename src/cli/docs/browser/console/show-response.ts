import { explainStatus } from "../../console/explain.js";
import type { AnswerVerdict } from "../../console/verdict.js";
import { create, createButton } from "./dom.js";
import type { Arrival } from "./send.js";
import { showBody, type ShownBody } from "./show-body.js";

export interface AnswerOptions {
  readonly verdict: AnswerVerdict;
  /** What to do about a 401; undefined for other answers. */
  readonly keyHint: string | undefined;
  /** Gets the next page; undefined where there is none that can be called. */
  readonly onNext: (() => void) | undefined;
}

/** An answer with its times, the contract's verdict, its headers and its body. */
export function showAnswer(answer: Arrival, { verdict, keyHint, onNext }: AnswerOptions): HTMLElement {
  const { status, statusText, headers, body, times, isOwnOrigin } = answer;
  const wait = explainStatus(status, headers, Date.now());
  const shown = showBody(answer, verdict.faults);
  return create(
    "div",
    {},
    create(
      "p",
      { class: "status" },
      create("strong", { class: `class-${String(status).charAt(0)}` }, `${status} ${statusText}`.trim()),
      create(
        "span",
        { class: "faint" },
        ` headers after ${toMs(times.headers)}, all after ${toMs(times.end)}, ${body.length} bytes`,
      ),
    ),
    create("p", {}, verdict.meaning ?? "The contract does not declare this status."),
    keyHint === undefined ? undefined : create("p", { class: "notice" }, keyHint),
    wait === undefined ? undefined : create("p", { class: "notice" }, wait),
    showVerdict(verdict, shown),
    onNext && create("p", {}, createButton("Get the next page", onNext)),
    create("h3", {}, "Body"),
    shown.element,
    create(
      "details",
      {},
      create("summary", {}, `Headers (${Object.keys(headers).length})`),
      create("pre", { tabindex: "0", "aria-label": "Headers" }, toLines(headers)),
      isOwnOrigin ? undefined : create("p", { class: "faint" }, HIDDEN),
    ),
  );
}

const HIDDEN =
  "From another origin, browsers show pages only the headers that the answer names in Access-Control-Expose-Headers, and a few more.";

export function toMs(time: number): string {
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}

function toLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function showVerdict({ faults, kept, notes }: AnswerVerdict, body: ShownBody): HTMLElement {
  const judged = kept.length === 0 ? "" : `: ${kept.join(", ")} as declared`;
  return create(
    "section",
    {
      class: faults.length === 0 ? "verdict good" : "verdict bad",
      "aria-label": "The contract's verdict on the answer",
    },
    create(
      "p",
      {},
      create(
        "strong",
        {},
        faults.length === 0 ? `The answer keeps the contract${judged}.` : toCount(faults.length),
      ),
    ),
    faults.length === 0
      ? undefined
      : create(
          "ul",
          {},
          ...faults.map(({ message, at }) => {
            const line = at === undefined ? undefined : body.findLine(at);
            const go =
              line &&
              createButton(`show ${at ?? ""}`, () => {
                line.scrollIntoView({ block: "center" });
              });
            return create("li", {}, message, go === undefined ? undefined : " ", go);
          }),
        ),
    notes.length === 0 ? undefined : create("p", { class: "faint" }, `Not judged: ${notes.join("; ")}.`),
  );
}

function toCount(faults: number): string {
  return faults === 1
    ? "The answer breaks the contract:"
    : `The answer breaks the contract in ${faults} ways:`;
}
