import { create, createButton, createId } from "./dom.js";

export interface PastCall {
  /** `POST /pets` */
  readonly label: string;
  /** `201, 12 ms` */
  readonly result: string;
  readonly repeat: () => void;
}

/** So many calls are kept. */
const MOST = 50;

export interface History {
  readonly element: HTMLElement;
  add(call: PastCall): void;
}

/** The calls that were made since the page was loaded, the last one first. */
export function createHistory(): History {
  const list = create("ol", { reversed: true });
  const id = createId();
  const element = create(
    "section",
    { "aria-labelledby": id, hidden: true },
    create("h2", { id }, "Calls of this page"),
    create("p", { class: "faint" }, "They are forgotten when the page is loaded anew."),
    list,
  );
  return {
    element,
    add({ label, result, repeat }) {
      element.hidden = false;
      const again = createButton("Send again", repeat);
      again.setAttribute("aria-label", `Send again: ${label}`);
      list.prepend(create("li", {}, create("code", {}, label), ` ${result} `, again));
      if (list.children.length > MOST) list.lastElementChild?.remove();
    },
  };
}
