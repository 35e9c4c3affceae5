import { isRange, toMediaKind } from "tenon/core/http";
import type { MediaType } from "tenon/core/model";
import type { GivenBody } from "../../console/call.js";
import type { Callable } from "../../console/callable.js";
import { type Field, type FieldSource, listFormFields } from "../../console/fields.js";
import { formatJson } from "../../console/json-text.js";
import {
  create,
  createButton,
  createField,
  createGroup,
  createInput,
  createSelect,
  createText,
} from "../dom.js";
import { createFieldRow, joinRows, type Mistakes } from "./field-row.js";

/** @returns undefined for an operation without a body. */
export function createBodyEditor({ operation }: Callable, source: FieldSource) {
  const { requestBody: body } = operation;
  const contents = body?.mediaTypes ?? [];
  if (body === undefined || contents.length === 0) return undefined;
  const panels = contents.map((content) => {
    const fields = listFormFields(content, source);
    return fields ? createFormPanel(content, fields) : createTextPanel(content, source);
  });
  const sent = create("input", { type: "checkbox" });
  sent.checked = body.required;
  const holder = create("div");
  const mistakes = create("p", { class: "mistake" });
  let index = 0;
  const show = (next: number) => {
    index = next;
    const panel = panels[index];
    if (panel !== undefined) holder.replaceChildren(panel.element);
  };
  const names = contents.map(({ name }) => name);
  const choice = createSelect("Media type", names, show);
  show(0);
  holder.addEventListener("input", () => {
    sent.checked = true;
  });
  const isKept = operation.method === "get" || operation.method === "head";
  const note = `Browsers send no body with ${operation.method.toUpperCase()}: only the curl line has it.`;
  return {
    element: createGroup(
      "Body",
      body.required ? undefined : create("label", {}, sent, " Send a body (optional)"),
      contents.length > 1 ? choice.element : undefined,
      holder,
      createText("hint", isKept ? note : ""),
      mistakes,
    ),
    /** @returns undefined when no body is to be sent. */
    read: (): GivenBody | undefined => (sent.checked ? panels[index]?.read() : undefined),
    showMistakes(messages: Mistakes) {
      panels[index]?.rows.showMistakes(messages);
      const own = panels[index]?.isForm === true ? messages.get("body") : [];
      mistakes.textContent = (own ?? []).join(" ");
    },
  };
}

function createFormPanel({ name: mediaType }: MediaType, fields: readonly Field[]) {
  const rows = joinRows(fields.map(createFieldRow));
  const element = create("div", { class: "rows" }, ...rows.elements);
  return { element, rows, isForm: true, read: () => ({ mediaType, fields: rows.read() }) };
}

/** JSON and text are written, anything else is a file. */
function createTextPanel(content: MediaType, source: FieldSource) {
  const { name: mediaType, examples } = content;
  const kind = toMediaKind(mediaType);
  const isFile = kind === "binary" || kind === "multipart";
  const row = createFieldRow(toBodyField(content, isFile, source));
  const write = (text: string) => {
    row.control.value = text;
    row.control.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const concrete = createInput("text", isRange(mediaType) ? "" : mediaType);
  const reformat = () => {
    try {
      write(formatJson(row.control.value).formatted);
    } catch {
      // The mistake is shown below the field already.
    }
  };
  const names = examples.map(({ name, summary = name }) => summary);
  const chooseExample = (index: number) => {
    write(toBodyText(mediaType, examples[index]?.value));
  };
  return {
    element: create(
      "div",
      { class: "rows" },
      names.length > 1 && !isFile ? createSelect("Example", names, chooseExample).element : undefined,
      row.element,
      kind === "json" ? createButton("Format", reformat, { class: "format" }) : undefined,
      isRange(mediaType) ? createField("Content-Type", concrete) : undefined,
    ),
    rows: joinRows([row]),
    isForm: false,
    read(): GivenBody | undefined {
      const { text = "", files: [file] = [] } = row.read() ?? {};
      const chosen = concrete.value.trim();
      if (!isFile) return { mediaType: chosen, text };
      return file && { mediaType: chosen || file.type || "application/octet-stream", file };
    },
  };
}

function toBodyField(
  { name: mediaType, schema, examples }: MediaType,
  isFile: boolean,
  { samples }: FieldSource,
): Field {
  const [given] = examples;
  const example = given ? given.value : schema && samples.make(schema, "");
  return {
    key: "body",
    place: "form",
    name: isFile ? "File" : "Content",
    required: true,
    deprecated: false,
    kind: isFile ? "file" : "json",
    choices: [],
    types: [],
    hint: mediaType,
    initial: toBodyText(mediaType, example),
  };
}

function toBodyText(mediaType: string, value: unknown): string {
  const isJson = toMediaKind(mediaType) === "json";
  const text = isJson && value !== undefined ? JSON.stringify(value, null, 2) : value;
  return typeof text === "string" ? text : "";
}
