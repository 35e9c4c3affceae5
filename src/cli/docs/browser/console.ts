import { type ConsoleData, createCallables } from "../console/callable.js";
import { describeError, exchangeCode } from "../console/oauth.js";
import { toFragment } from "../render/ids.js";
import { createKeyring } from "./console/key-fields.js";
import { fetchToken, takeLogin } from "./console/login.js";
import { createPanel, type Panel, type Session } from "./console/panel.js";
import { create } from "./dom.js";

/** The script of the console: a form for each operation that the reader tries, in the place of its samples. */
declare global {
  /** `console-data.js` defines it before this script runs. */
  var consoleData: ConsoleData;
}

const { contract, service, origins } = globalThis.consoleData;
const findCallable = createCallables(contract);
const session: Session = { keyring: createKeyring(), clients: new Map(), service, origins };
const panels = new Map<HTMLElement, Promise<Panel | undefined>>();

globalThis.requestConsole = { open, endLogin };

async function open(operation: HTMLElement): Promise<Panel | undefined> {
  const panel = panels.get(operation) ?? add(operation);
  panels.set(operation, panel);
  const opened = await panel;
  operation.querySelector(".beside")?.classList.add("trying");
  opened?.element.focus({ preventScroll: true });
  opened?.element.scrollIntoView({ block: "nearest" });
  return opened;
}

async function add(operation: HTMLElement): Promise<Panel | undefined> {
  const beside = operation.querySelector(".beside");
  const close = () => {
    beside?.classList.remove("trying");
    beside?.querySelector<HTMLElement>(".try")?.focus();
  };
  try {
    const callable = findCallable(operation.id);
    if (callable === undefined) throw new Error("The contract has no such operation.");
    const panel = await createPanel(callable, { session, close });
    beside?.prepend(panel.element);
    return panel;
  } catch (error) {
    beside?.prepend(create("p", { class: "console mistake", role: "alert" }, (error as Error).message));
    return undefined;
  }
}

/** Exchanges the code of a login for its token, where the reader left the form. */
async function endLogin(query: URLSearchParams): Promise<void> {
  const login = takeLogin(query);
  const operation = login && document.getElementById(login.place);
  if (login === undefined || !operation) return;
  history.replaceState(undefined, "", toFragment(login.place));
  session.clients.set(login.scheme, login.id);
  const panel = await open(operation);
  operation.scrollIntoView();
  panel?.restore(login.form);
  try {
    if (query.get("state") !== login.state) throw new Error("It is not the one that this page began.");
    const code = query.get("code");
    if (code === null) throw new Error(`No code${describeError(Object.fromEntries(query))}.`);
    const token = await fetchToken(login.tokenUrl, exchangeCode(code, login));
    session.keyring.setToken(new URL(login.base).origin, login.scheme, token);
    panel?.showLogin(`You are logged in.${token.note}`);
  } catch (error) {
    panel?.showLogin(`The login failed. ${(error as Error).message}`);
  }
}
