import type { Node } from "tenon/core/document";
import { createCallables, type Entry } from "../console/callable.js";
import { createMenu, toHash } from "./console/operation-menu.js";
import {
  createOperationView,
  type FormState,
  type OperationView,
  type Session,
} from "./console/operation-view.js";
import { fromFragment } from "../render/ids.js";
import { create, createButton, createDetails, createId } from "./dom.js";

/** The contract, which `try-contract.js` defines before this script runs. */
declare global {
  var contract: Node;
}

const root = document.getElementById("console") ?? document.body;
const { service, origins = "" } = root.dataset;
const title = document.title;

const callables = createCallables(globalThis.contract);
const menu = createMenu(callables.entries);
const main = create("main", { id: "main" });
const history = createHistory();
const folded = createDetails("Operations", menu.element);
folded.className = "menu";
const isWide = matchMedia("(min-width: 60rem)");
folded.open = isWide.matches;
isWide.addEventListener("change", () => {
  folded.open = isWide.matches;
});
root.replaceChildren(
  create("a", { class: "skip", href: "#main" }, "To the form"),
  create(
    "header",
    {},
    create("p", {}, create("strong", {}, title), " ", create("a", { href: "index.html" }, "Reference")),
    // `theme.js` fills it.
    create("div", { "data-theme-switch": true, hidden: true }),
  ),
  folded,
  create("div", { class: "page" }, main, history.element),
);

let view: OperationView | undefined;
/** Counts the operations that were asked for: a slower one before the last is not shown any more. */
let turn = 0;

const session: Session = {
  keyring: new Map(),
  service,
  origins: origins.split(" ").filter((origin) => origin !== ""),
  addToHistory: history.add,
  repeat: ({ entry }, state, next) => void show(entry, { state, next }),
};

async function show(
  entry: Entry,
  repeated?: { readonly state: FormState; readonly next: string | undefined },
): Promise<void> {
  const own = (turn += 1);
  const opened = await open(entry);
  const next = typeof opened === "string" ? undefined : opened;
  if (own !== turn) {
    next?.close();
    return;
  }
  view?.close();
  view = next;
  document.title = `${entry.summary || entry.id} – ${title}`;
  menu.mark(entry);
  main.replaceChildren(typeof opened === "string" ? create("p", {}, opened) : opened.element);
  next?.heading.focus({ preventScroll: repeated !== undefined });
  if (repeated === undefined) scrollTo(0, 0);
  else if (next !== undefined) {
    // Sets the address without an event: the operation is shown already.
    globalThis.history.replaceState(undefined, "", toHash(entry));
    next.restore(repeated.state);
    next.send(repeated.next);
  }
}

/** @returns a message for an operation that cannot be read. */
async function open(entry: Entry): Promise<OperationView | string> {
  try {
    const callable = callables.open(entry);
    if (callable !== undefined) return await createOperationView(callable, session);
    return `The contract's operation "${entry.id}" cannot be read.`;
  } catch (error) {
    return (error as Error).message;
  }
}

function showAddressed(): void {
  const { hash } = location;
  const id = /^#operation\/./.test(hash) ? fromFragment(hash.slice("#operation/".length)) : undefined;
  const entry = id === undefined ? callables.entries[0] : callables.entries.find((one) => one.id === id);
  if (!isWide.matches) folded.open = false;
  if (entry !== undefined) void show(entry);
  else
    main.replaceChildren(
      create("h1", {}, "No such operation"),
      create("p", {}, `The contract has no operation "${id ?? ""}".`),
    );
}

/** Creates the list of the calls since the page was loaded, the last one first. It keeps up to 50. */
function createHistory() {
  const list = create("ol", { reversed: true });
  const id = createId();
  const element = create(
    "section",
    { "aria-labelledby": id, hidden: true },
    create("h2", { id }, "Calls of this page"),
    create("p", { class: "faint" }, "They are lost when you reload the page."),
    list,
  );
  const add: Session["addToHistory"] = (label, result, repeat) => {
    element.hidden = false;
    const again = createButton("Send again", repeat);
    again.setAttribute("aria-label", `Send again: ${label}`);
    list.prepend(create("li", {}, create("code", {}, label), ` ${result} `, again));
    if (list.children.length > 50) list.lastElementChild?.remove();
  };
  return { element, add };
}

addEventListener("hashchange", () => {
  if (location.hash !== "#main") showAddressed();
});
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  view?.send();
});
showAddressed();
