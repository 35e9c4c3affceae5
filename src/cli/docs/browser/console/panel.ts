import { type Operation, toOperationLabel as toLabel } from "tenon/core/model";
import { toCall } from "../../console/call.js";
import type { Callable } from "../../console/callable.js";
import { toParameterField } from "../../console/fields.js";
import { createVerdicts } from "../../console/verdict.js";
import { toOperationId } from "../../render/ids.js";
import { createSampleValues } from "../../samples/sample-values.js";
import { create, createButton, createDetails, createGroup } from "../dom.js";
import { type Addresses, createAddressField } from "./address-field.js";
import { createBodyEditor } from "./body-editor.js";
import { createFieldRow, joinRows } from "./field-row.js";
import { type FormState, restoreForm, saveForm } from "./form-state.js";
import { createKeyFields, type Keyring } from "./key-fields.js";
import { createSender } from "./sender.js";
import { showRequestVerdict } from "./show-exchange.js";

/** State that all operations share. */
export interface Session extends Addresses {
  readonly keyring: Keyring;
  /** Client ids of logins by security scheme. */
  readonly clients: Map<string, string>;
}

export interface PanelOptions {
  readonly session: Session;
  readonly close: () => void;
}

export type Panel = Awaited<ReturnType<typeof createPanel>>;

/** Creates the form of an operation, with the results of sending it. */
export async function createPanel(callable: Callable, { session, close }: PanelOptions) {
  const { operation, contract, servers } = callable;
  const verdicts = await createVerdicts(callable);
  const view = { registry: contract.registry, side: "request" } as const;
  const source = { view, samples: createSampleValues(view) };
  const verdictPlace = create("div");
  const path = create("code");
  let base: string | undefined;
  const update = () => {
    const { verdict } = validate();
    const messages = new Map<string, readonly string[]>();
    for (const { key = "", message } of verdict.mistakes)
      messages.set(key, [...(messages.get(key) ?? []), message]);
    rows.showMistakes(messages);
    body?.showMistakes(messages);
    verdictPlace.replaceChildren(showRequestVerdict(verdict));
  };
  const rows = joinRows(
    operation.parameters.map((parameter) => createFieldRow(toParameterField(parameter, source))),
  );
  const body = createBodyEditor(callable, source);
  const place = toOperationId(operation);
  const keys = createKeyFields(callable, {
    ...session,
    getPlace: () => (base === undefined ? undefined : { place, base, form: saveForm(form) }),
  });
  const address = createAddressField(servers, session, (chosen) => {
    base = chosen;
    session.base = chosen;
    const { pathname = "/" } = chosen === undefined ? {} : new URL(chosen);
    path.textContent = `${pathname === "/" ? "" : pathname}${operation.path}`;
    if (chosen !== undefined) keys?.setOrigin(new URL(chosen).origin);
  });
  const validate = () => {
    const given = { parameters: rows.read(), body: body?.read() };
    const call = toCall(callable, given);
    return { given, call, verdict: verdicts.request(call) };
  };
  const calls = createCalls();
  const sender = createSender({
    callable,
    keys,
    verdicts,
    validate,
    readBase: () => base,
    onSent: (result, next) => {
      const state = saveForm(form);
      const label = next === undefined ? toLabel(operation) : `${toLabel(operation)} (next page)`;
      calls.add(label, result, () => {
        restoreForm(form, state);
        sender.send(next);
      });
    },
  });

  const form = create(
    "form",
    { novalidate: true, autocomplete: "off" },
    createBar(operation, path, sender.cancel, close),
    address,
    keys?.element,
    rows.elements.length === 0 ? undefined : createGroup("Parameters", ...rows.elements),
    body?.element,
    verdictPlace,
  );
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sender.send();
  });
  const name = operation.summary ?? toLabel(operation);
  const element = create(
    "section",
    { class: "console", "aria-label": `Try it: ${name}`, tabindex: "-1" },
    form,
    sender.results,
    calls.element,
  );
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    sender.send();
  });
  update();
  return {
    element,
    restore(state: FormState) {
      restoreForm(form, state);
    },
    showLogin: (message: string) => keys?.say(message),
  };
}

/** Creates the bar that stays in sight while the form scrolls. */
function createBar({ method }: Operation, path: HTMLElement, cancel: HTMLElement, close: () => void) {
  return create(
    "div",
    { class: "call-bar" },
    create("span", { class: `method ${method}` }, method.toUpperCase()),
    path,
    cancel,
    create("button", { type: "submit", class: "button", title: "Ctrl+Enter" }, "Send"),
    createButton("✕", close, { class: "close", "aria-label": "Close" }),
  );
}

/** How many calls can be sent again. */
const MAX_CALLS = 50;

/** Creates the list of the calls of an operation since the page was loaded, the last one first. */
function createCalls() {
  const list = create("ol", { reversed: true });
  const element = createDetails("Calls since the page was loaded", list);
  element.hidden = true;
  return {
    element,
    add(label: string, result: string, repeat: () => void) {
      element.hidden = false;
      const again = createButton("Send again", repeat, { "aria-label": `Send again: ${label}` });
      list.prepend(create("li", {}, create("code", {}, label), ` ${result} `, again));
      if (list.children.length > MAX_CALLS) list.lastElementChild?.remove();
    },
  };
}
