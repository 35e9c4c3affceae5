import { isForbiddenHeader } from "../../console/explain.js";
import type { WireRequest } from "../../../verify/messages/index.js";
import { create, createButton } from "./dom.js";

/** Of a body more is not shown, in bytes. */
const MOST_SHOWN = 20_000;

/** A request as it was sent, with variables in the place of keys, and as a line for a shell. */
export function showRequest(
  { method, shownPath, headers, body }: WireRequest,
  base: string,
  curl: string,
): HTMLElement {
  const isSent = (name: string) => !isForbiddenHeader(name);
  const lines = [
    `${method} ${base}${shownPath}`,
    ...headers.filter(({ name }) => isSent(name)).map(({ name, shown }) => `${name}: ${shown}`),
    ...(body === undefined ? [] : ["", toText(body)]),
  ];
  const withheld = headers.filter(({ name }) => !isSent(name)).map(({ name }) => name);
  const note = `The browser adds headers of its own, which no page sees${withheld.length === 0 ? "" : `, and does not send ${withheld.join(", ")}`}.`;
  const told = create("span", { role: "status", class: "faint" });
  const copy = createButton("Copy the curl line", () => {
    navigator.clipboard.writeText(curl).then(
      () => {
        told.textContent = " Copied.";
      },
      () => {
        told.textContent = " The browser does not allow it: select and copy the line.";
      },
    );
  });
  return create(
    "details",
    {},
    create("summary", {}, "Request as it was sent"),
    create("pre", { tabindex: "0", "aria-label": "Request" }, lines.join("\n")),
    create("p", { class: "faint" }, note),
    create("pre", { tabindex: "0", "aria-label": "curl" }, curl),
    create("p", {}, copy, told),
  );
}

function toText(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.slice(0, MOST_SHOWN));
  const rest = body.length - MOST_SHOWN;
  // Files are of bytes that are no text.
  const plain = text.replaceAll(/[^\P{Cc}\t\n\r]|\uFFFD/gu, "·");
  return rest > 0 ? `${plain}\n… and ${rest} bytes more` : plain;
}
