import { create } from "../dom.js";
import { load, loadScript } from "./load-script.js";

/** The console, which `console.js` defines. */
export interface Console {
  /** Opens the form of an operation, in place of its samples. */
  readonly open: (operation: HTMLElement) => Promise<unknown>;
  /** @param query What the authorization server added to the page's address. */
  readonly endLogin: (query: URLSearchParams) => Promise<void>;
}

declare global {
  var requestConsole: Console | undefined;
}

/** Opens the console when the reader tries an operation, and after a login. Its files are loaded then: most readers need none. */
export function prepareConsole(content: HTMLElement): void {
  content.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>(".try") : null;
    if (button !== null) void open(button);
  });
  const query = new URLSearchParams(location.search);
  if (!query.has("state") || !(query.has("code") || query.has("error"))) return;
  // The code is in no link that the reader copies, and in no bookmark.
  history.replaceState(undefined, "", location.pathname + location.hash);
  void loadConsole().then((loaded) => loaded?.endLogin(query));
}

async function open(button: HTMLButtonElement): Promise<void> {
  const operation = button.closest<HTMLElement>(".operation");
  if (operation === null) return;
  const loaded = await loadConsole();
  if (loaded === undefined)
    button.replaceWith(create("p", { class: "try", role: "alert" }, "The files of the console are missing."));
  else await loaded.open(operation);
}

let loading: Promise<unknown> | undefined;

async function loadConsole(): Promise<Console | undefined> {
  loading ??= Promise.all([
    load(create("link", { rel: "stylesheet", href: "console.css" })),
    loadScript("console-data.js").then(() => loadScript("console.js")),
  ]);
  await loading;
  return globalThis.requestConsole;
}
