import { isReplacementUrl, type Lifecycle, showInstant } from "tenon/core/document";
import { toOperationLabel as toLabel } from "tenon/core/model";
import { toCall } from "../../console/call.js";
import type { Callable } from "../../console/callable.js";
import { toParameterField } from "../../console/fields.js";
import { createVerdicts, type RequestVerdict } from "../../console/verdict.js";
import { createSampleValues } from "../../samples/sample-values.js";
import { create, createGroup, createText } from "../dom.js";
import { type Addresses, createAddressField } from "./address-field.js";
import { type BodyState, createBodyEditor } from "./body-editor.js";
import { createFieldRow, joinRows, type RowState } from "./field-row.js";
import { createKeyFields, type Keyring } from "./key-fields.js";
import { toHash } from "./operation-menu.js";
import { createSender } from "./sender.js";
import { showVerdict } from "./show-exchange.js";

/** State that outlives one operation. */
export interface Session extends Addresses {
  readonly keyring: Keyring;
  /** Adds a call: `POST /pets`, `201, 12 ms`. */
  readonly addToHistory: (label: string, result: string, repeat: () => void) => void;
  /** Shows an operation as it was, and sends it. */
  readonly repeat: (callable: Callable, state: FormState, next: string | undefined) => void;
}

/** The reader's input in a form, without the keys. */
export interface FormState {
  readonly rows: readonly RowState[];
  readonly body: BodyState | undefined;
}

export type OperationView = Awaited<ReturnType<typeof createOperationView>>;

/** Creates the form of an operation, with the results of sending it. */
export async function createOperationView(callable: Callable, session: Session) {
  const { operation, contract, servers } = callable;
  const verdicts = await createVerdicts(callable);
  const view = { registry: contract.registry, side: "request" } as const;
  const source = { view, samples: createSampleValues(view) };
  const verdictPlace = create("div");
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
    operation.parameters.map((parameter) => createFieldRow(toParameterField(parameter, source), update)),
  );
  const body = createBodyEditor(callable, source, update);
  const keys = createKeyFields(callable, session.keyring, () => keys?.showRejection(""));
  const address = createAddressField(servers, session, (base) => {
    session.base = base;
    if (base !== undefined) keys?.setOrigin(new URL(base).origin);
  });
  const validate = () => {
    const given = { parameters: rows.read(), body: body?.read() };
    const call = toCall(callable, given);
    return { given, call, verdict: verdicts.request(call) };
  };
  const save = (): FormState => ({ rows: rows.save(), body: body?.save() });
  const sender = createSender({
    callable,
    keys,
    verdicts,
    validate,
    readBase: () => session.base,
    onSent: (result, next) => {
      const state = save();
      const label = next === undefined ? toLabel(operation) : `${toLabel(operation)} (next page)`;
      session.addToHistory(label, result, () => {
        session.repeat(callable, state, next);
      });
    },
  });

  const heading = create("h1", { tabindex: "-1" }, callable.entry.summary || toLabel(operation));
  const form = create(
    "form",
    { novalidate: true, autocomplete: "off" },
    address,
    keys?.element,
    rows.elements.length === 0 ? undefined : createGroup("Parameters", ...rows.elements),
    body?.element,
    verdictPlace,
    sender.buttons,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sender.send();
  });
  update();
  return {
    element: create("div", {}, heading, showIntroduction(callable), form, sender.results),
    heading,
    restore(state: FormState) {
      rows.restore(state.rows);
      if (state.body !== undefined) body?.restore(state.body);
      update();
    },
    send: sender.send,
    close: () => {
      sender.cancel();
      verdicts.close();
    },
  };
}

const STABLE: Lifecycle = { deprecated: false, stability: "stable" };

function showIntroduction({ operation, entry }: Callable): HTMLElement {
  const { deprecated, since, sunset, replacedBy, stability } = entry.lifecycle ?? STABLE;
  const sunsetWord = sunset !== undefined && sunset <= Date.now() ? "gone since" : "removed on";
  const facts = [
    since === undefined ? "" : ` since ${showInstant(since)}`,
    sunset === undefined ? "" : `, ${sunsetWord} ${showInstant(sunset)}`,
  ].join("");
  const notice = createText("notice", deprecated ? `Deprecated${facts}.` : "");
  if (replacedBy !== undefined)
    notice?.append(
      " Use instead: ",
      isReplacementUrl(replacedBy)
        ? create("code", {}, replacedBy)
        : create("a", { href: toHash({ id: replacedBy }) }, replacedBy),
    );
  const path = create("code", { class: "path" }, toLabel(operation));
  const reference = create("a", { href: `index.html${toHash(entry)}` }, "In the reference");
  return create(
    "div",
    {},
    create("p", {}, path, " ", reference),
    notice,
    createText("notice", stability === "stable" ? "" : `Stability: ${stability}.`),
  );
}

function showRequestVerdict({ mistakes, notes }: RequestVerdict): HTMLElement {
  const isValid = mistakes.length === 0;
  const title = isValid
    ? "The request is valid."
    : "The request violates the contract. You can send it anyway.";
  const items = mistakes.map(({ message }) => [message]);
  return showVerdict("request", title, items, notes);
}
