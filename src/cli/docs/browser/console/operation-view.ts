import { createSampleValues } from "../../samples/sample-values.js";
import { type Lifecycle, showInstant } from "tenon/core/document";
import { toOperationLabel as toLabel } from "tenon/core/model";
import type { Callable } from "../../console/callable.js";
import { type Call, type Given, toCall } from "../../console/call.js";
import { listParameterFields } from "../../console/fields.js";
import { createVerdicts, type RequestVerdict } from "../../console/verdict.js";
import { createAddressField } from "./address-field.js";
import { type BodyState, createBodyEditor } from "./body-editor.js";
import { create } from "./dom.js";
import { createFieldRow, type RowState } from "./field-row.js";
import { createKeyFields, type Keyring } from "./key-fields.js";
import { toHash } from "./operation-menu.js";
import { createSender, type Sender } from "./sender.js";
import type { History } from "./show-history.js";

/** What outlives one operation. */
export interface Session {
  readonly keyring: Keyring;
  readonly history: History;
  readonly service: string | undefined;
  readonly origins: readonly string[];
  /** Address of the last call. */
  base?: string | undefined;
  /** Shows an operation as it was, and sends it. */
  readonly repeat: (callable: Callable, state: FormState, next: string | undefined) => void;
}

/** What a reader wrote into a form, but the keys. */
export interface FormState {
  readonly rows: readonly RowState[];
  readonly body: BodyState | undefined;
}

export interface OperationView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  restore(state: FormState): void;
  /** @param next Address of a next page, in place of the form's. */
  send(next?: string): void;
  close(): void;
}

/** The form of an operation, and what came of sending it. */
export async function createOperationView(callable: Callable, session: Session): Promise<OperationView> {
  const { operation, contract } = callable;
  const verdicts = await createVerdicts(callable);
  const view = { registry: contract.registry, side: "request" } as const;
  const source = { view, samples: createSampleValues(view) };
  const onChange = () => {
    tell(judge().verdict);
  };
  const rows = listParameterFields(operation, source).map((field) => createFieldRow(field, onChange));
  const body = createBodyEditor(callable, source, onChange);
  const keys = createKeyFields(callable, session.keyring, () => keys?.tell(""));
  const { service, origins, base: remembered } = session;
  const address = createAddressField({ service, servers: callable.servers, origins, remembered }, (base) => {
    session.base = base;
    if (base !== undefined) keys?.setOrigin(new URL(base).origin);
  });

  const read = (): Given => ({ parameters: rows.flatMap((row) => row.read() ?? []), body: body?.read() });
  const judge = (): { readonly given: Given; readonly call: Call; readonly verdict: RequestVerdict } => {
    const given = read();
    const call = toCall(callable, given);
    return { given, call, verdict: verdicts.request(call) };
  };
  const before = create("div");
  const tell = (verdict: RequestVerdict) => {
    const messages = new Map<string, readonly string[]>();
    for (const { key, message } of verdict.mistakes)
      messages.set(key ?? "", [...(messages.get(key ?? "") ?? []), message]);
    for (const row of rows) row.tell(messages.get(row.field.key) ?? []);
    body?.tell(messages);
    before.replaceChildren(showRequestVerdict(verdict));
  };

  const save = (): FormState => ({ rows: rows.map((row) => row.save()), body: body?.save() });
  const sender: Sender = createSender({
    callable,
    keys,
    verdicts,
    judge,
    readBase: () => address.read(),
    onSent: (result, next) => {
      const state = save();
      const repeat = () => {
        session.repeat(callable, state, next);
      };
      const label = next === undefined ? toLabel(operation) : `${toLabel(operation)} (next page)`;
      session.history.add({ label, result, repeat });
    },
  });

  const heading = create("h1", { tabindex: "-1" }, callable.entry.summary || toLabel(operation));
  const form = create(
    "form",
    { novalidate: true, autocomplete: "off" },
    address.element,
    keys?.element,
    ...(rows.length === 0
      ? []
      : [create("fieldset", {}, create("legend", {}, "Parameters"), ...rows.map(({ element }) => element))]),
    body?.element,
    before,
    sender.buttons,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sender.send();
  });
  onChange();
  return {
    element: create("div", {}, heading, showIntroduction(callable), form, sender.results),
    heading,
    restore(state) {
      for (const [index, row] of rows.entries()) {
        const own = state.rows[index];
        if (own !== undefined) row.restore(own);
      }
      if (state.body !== undefined) body?.restore(state.body);
      onChange();
    },
    send: (next) => {
      sender.send(next);
    },
    close: () => {
      sender.cancel();
      verdicts.close();
    },
  };
}

const STABLE: Lifecycle = { deprecated: false, stability: "stable" };

function showIntroduction({ operation, entry }: Callable): HTMLElement {
  const { deprecated, since, sunset, replacedBy, stability } = entry.lifecycle ?? STABLE;
  const facts = [
    since === undefined ? "" : ` since ${showInstant(since)}`,
    sunset === undefined
      ? ""
      : sunset <= Date.now()
        ? `, gone since ${showInstant(sunset)}`
        : `, removed on ${showInstant(sunset)}`,
  ].join("");
  const instead =
    replacedBy === undefined ? undefined : create("a", { href: toHash({ id: replacedBy }) }, replacedBy);
  return create(
    "div",
    {},
    create(
      "p",
      {},
      create("code", { class: "path" }, toLabel(operation)),
      " ",
      create("a", { href: `index.html${toHash(entry)}` }, "In the reference"),
    ),
    deprecated
      ? create(
          "p",
          { class: "notice" },
          `Deprecated${facts}.`,
          instead === undefined ? undefined : " Use instead: ",
          instead,
        )
      : undefined,
    stability === "stable" ? undefined : create("p", { class: "notice" }, `Stability: ${stability}.`),
  );
}

function showRequestVerdict({ mistakes, notes }: RequestVerdict): HTMLElement {
  const title =
    mistakes.length === 0
      ? "The request keeps the contract."
      : "The contract forbids this request. You can send it all the same.";
  return create(
    "section",
    {
      class: mistakes.length === 0 ? "verdict good" : "verdict bad",
      "aria-label": "The contract's verdict on the request",
    },
    create("p", {}, create("strong", {}, title)),
    mistakes.length === 0
      ? undefined
      : create("ul", {}, ...mistakes.map(({ message }) => create("li", {}, message))),
    notes.length === 0 ? undefined : create("p", { class: "faint" }, `Not judged: ${notes.join("; ")}.`),
  );
}
