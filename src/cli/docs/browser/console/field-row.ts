import type { GivenField } from "../../console/call.js";
import { isForbiddenHeader } from "../../console/explain.js";
import type { Field } from "../../console/fields.js";
import { create, createId } from "./dom.js";

/** What a reader did in a field. */
export interface RowState {
  readonly sent: boolean;
  readonly text: string;
  readonly files: readonly File[];
}

export interface FieldRow {
  readonly field: Field;
  readonly element: HTMLElement;
  /** @returns undefined when it is not to be sent. */
  read(): GivenField | undefined;
  save(): RowState;
  restore(state: RowState): void;
  tell(mistakes: readonly string[]): void;
}

/** A field with its label, whether it is sent, and what is wrong with it. */
export function createFieldRow(field: Field, onChange: () => void): FieldRow {
  const { name, place, required, kind, description, deprecated } = field;
  const [id, hintId, mistakeId] = [createId(), createId(), createId()];
  const control = createControl(field, { id, "aria-describedby": `${hintId} ${mistakeId}` });
  const sent = create("input", { type: "checkbox", "aria-label": `Send ${name}` });
  sent.checked = required;
  // A path without one of its parts is another path; whether there is a body is asked beside it.
  const isOptional = place !== "path" && field.key !== "body";
  const mistakes = create("p", { id: mistakeId, class: "mistake" });
  const unsendable = toUnsendable(field);
  const facts = [
    required ? "required" : "optional",
    field.hint,
    deprecated ? "deprecated" : "",
    unsendable,
  ].filter((fact) => fact !== "");
  const element = create(
    "div",
    { class: "field" },
    create(
      "div",
      { class: "head" },
      create("label", { for: id }, name),
      isOptional
        ? create("label", { class: "send" }, sent, create("span", { class: "faint" }, "send"))
        : undefined,
    ),
    control,
    create("p", { id: hintId, class: "faint" }, facts.join(" · ")),
    description === "" ? undefined : create("p", { class: "description" }, description),
    mistakes,
  );
  const isSent = () => !isOptional || sent.checked;
  const show = () => {
    element.classList.toggle("unsent", !isSent());
  };
  const readFiles = () =>
    control instanceof HTMLInputElement && control.files !== null ? [...control.files] : [];
  control.addEventListener("input", () => {
    sent.checked = kind !== "choice" || control.value !== "";
    show();
    onChange();
  });
  sent.addEventListener("change", () => {
    show();
    onChange();
  });
  show();
  return {
    field,
    element,
    read() {
      const isEmpty =
        (kind === "choice" && control.value === "") || (isFile(field) && readFiles().length === 0);
      if (!isSent() || isEmpty) return undefined;
      return { field, text: isFile(field) ? "" : control.value, files: readFiles() };
    },
    save: () => ({ sent: sent.checked, text: isFile(field) ? "" : control.value, files: readFiles() }),
    restore(state) {
      sent.checked = state.sent;
      if (control instanceof HTMLInputElement && isFile(field)) {
        const transfer = new DataTransfer();
        for (const file of state.files) transfer.items.add(file);
        control.files = transfer.files;
      } else control.value = state.text;
      show();
    },
    tell(messages) {
      mistakes.textContent = messages.join(" ");
      if (messages.length > 0) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    },
  };
}

function isFile({ kind }: Field): boolean {
  return kind === "file" || kind === "files";
}

function createControl(
  { kind, choices, initial, required }: Field,
  attributes: Readonly<Record<string, string>>,
): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const own = { ...attributes, autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  if (kind === "choice") {
    const select = create(
      "select",
      attributes,
      create("option", { value: "" }, required ? "choose" : "none"),
      ...choices.map((choice) =>
        create(
          "option",
          { value: JSON.stringify(choice) },
          typeof choice === "string" ? choice : JSON.stringify(choice),
        ),
      ),
    );
    select.value = initial;
    return select;
  }
  if (kind === "file" || kind === "files")
    return create("input", { ...own, type: "file", multiple: kind === "files" });
  if (kind === "json") {
    const area = create("textarea", { ...own, rows: String(Math.min(16, initial.split("\n").length + 1)) });
    area.value = initial;
    return area;
  }
  const input = create("input", {
    ...own,
    type: "text",
    inputmode: kind === "number" ? "decimal" : undefined,
  });
  input.value = initial;
  return input;
}

function toUnsendable({ place, name }: Field): string {
  if (place === "cookie")
    return "browsers do not let pages send cookies of their own: only the curl line has it";
  return place === "header" && isForbiddenHeader(name)
    ? "browsers do not let pages set this header: only the curl line has it"
    : "";
}
