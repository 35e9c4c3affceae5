import type { GivenField } from "../../console/call.js";
import type { Field } from "../../console/fields.js";
import { create, createDetails, createId } from "../dom.js";
import { isForbiddenHeader } from "./send.js";

/** Mistakes by the key of their field: `query/limit`, `form/photo`, `body`. */
export type Mistakes = ReadonlyMap<string, readonly string[]>;

type Row = ReturnType<typeof createFieldRow>;

/** More fields that are not sent at first are folded. */
const MAX_UNSENT = 6;

/** Joins the fields of a form, or of a part of it. */
export function joinRows(rows: readonly Row[]) {
  const unsent = rows.filter(({ isSent }) => !isSent);
  const folded = unsent.length > MAX_UNSENT ? unsent : [];
  const fold = createDetails(`${folded.length} optional fields`, ...folded.map(({ element }) => element));
  return {
    elements: [
      ...rows.filter((row) => !folded.includes(row)).map(({ element }) => element),
      ...(folded.length > 0 ? [fold] : []),
    ],
    /** Reads those that are to be sent. */
    read: () => rows.flatMap((row) => row.read() ?? []),
    showMistakes(mistakes: Mistakes) {
      for (const row of rows) row.showMistakes(mistakes.get(row.key) ?? []);
    },
  };
}

/** Creates a field with its label, a box to send it or not, and its mistakes. */
export function createFieldRow(field: Field) {
  const { name, place, required, kind, deprecated } = field;
  const [id, hintId, mistakeId] = [createId(), createId(), createId()];
  const control = createControl(field, { id, "aria-describedby": `${hintId} ${mistakeId}` });
  const isFile = kind === "file" || kind === "files";
  const sent = create("input", { type: "checkbox", "aria-label": `Send ${name}` });
  sent.checked = required;
  // A path without one of its parts is another path; a body has a box of its own.
  const isOptional = place !== "path" && field.key !== "body";
  const mistakes = create("p", { id: mistakeId, class: "mistake" });
  const facts = [field.hint, deprecated ? "deprecated" : "", describeUnsendable(field)].filter(Boolean);
  const element = create(
    "div",
    { class: `row ${kind}` },
    isOptional ? sent : undefined,
    // The name of the group says it already.
    create("label", { for: id, class: field.key === "body" ? "spoken" : undefined }, name),
    control,
    create("p", { id: hintId, class: "hint" }, [required ? "required" : "optional", ...facts].join(" · ")),
    mistakes,
  );
  control.addEventListener("input", () => {
    sent.checked = kind !== "choice" || control.value !== "";
  });
  return {
    key: field.key,
    element,
    control,
    /** It is sent at first. */
    isSent: required || !isOptional,
    read(): GivenField | undefined {
      const text = isFile ? "" : control.value;
      const files = control instanceof HTMLInputElement ? [...(control.files ?? [])] : [];
      const isEmpty = (kind === "choice" && text === "") || (isFile && files.length === 0);
      return (isOptional && !sent.checked) || isEmpty ? undefined : { field, text, files };
    },
    showMistakes(messages: readonly string[]) {
      mistakes.textContent = messages.join("\n");
      if (messages.length > 0) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    },
  };
}

function createControl(
  { kind, choices, initial, required }: Field,
  attributes: Readonly<Record<string, string>>,
): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const own = { ...attributes, autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  if (kind === "file" || kind === "files")
    return create("input", { ...own, type: "file", multiple: kind === "files" });
  const options = choices.map((choice) => {
    const value = JSON.stringify(choice);
    return create("option", { value }, typeof choice === "string" ? choice : value);
  });
  const none = create("option", { value: "" }, required ? "choose" : "none");
  const rows = String(Math.min(16, initial.split("\n").length + 1));
  const inputmode = kind === "number" ? "decimal" : undefined;
  const control =
    kind === "choice"
      ? create("select", attributes, none, ...options)
      : kind === "json"
        ? create("textarea", { ...own, rows })
        : create("input", { ...own, type: "text", inputmode });
  control.value = initial;
  return control;
}

function describeUnsendable({ place, name }: Field): string {
  if (place === "cookie")
    return "browsers do not let pages send cookies of their own: only the curl line has it";
  return place === "header" && isForbiddenHeader(name)
    ? "browsers do not let pages set this header: only the curl line has it"
    : "";
}
