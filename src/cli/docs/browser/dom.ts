type Attributes = Readonly<Record<string, string | boolean | undefined>>;
type Child = Node | string | undefined;

/** Creates an element. Texts become text, never markup. An attribute that is `true` is set, one that is `false` is not. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Creates a paragraph; undefined without a text. */
export function createText(className: string, text: string | undefined): HTMLElement | undefined {
  return text === undefined || text === "" ? undefined : create("p", { class: className }, text);
}

declare global {
  /** The number of ids that the page's scripts have created. */
  var idCount: number | undefined;
}

/** Creates an id that no other element has. */
export function createId(): string {
  globalThis.idCount = (globalThis.idCount ?? 0) + 1;
  return `e${globalThis.idCount}`;
}

/** Creates an input for text that browsers neither complete nor correct. */
export function createInput(type: string, value: string, attributes: Attributes = {}): HTMLInputElement {
  const input = create("input", { type, autocomplete: "off", spellcheck: "false", ...attributes });
  input.value = value;
  return input;
}

export function createButton(text: string, onClick: () => void, attributes: Attributes = {}) {
  const button = create("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", onClick);
  return button;
}

/** Creates a button that copies a text. */
export function createCopyButton(label: string, read: () => string | Promise<string>): HTMLElement {
  const copy = () => {
    // The text may come later: browsers allow copying for a short time after a click.
    const item = new ClipboardItem({ "text/plain": Promise.resolve(read()) });
    void navigator.clipboard.write([item]).then(() => {
      button.textContent = find("body > .spoken").textContent = "Copied";
      setTimeout(() => (button.textContent = label), 2_000);
    });
  };
  const button = createButton(label, copy, { class: "copy" });
  return button;
}

/** Creates a group of fields below its name. */
export function createGroup(name: string, ...children: readonly Child[]): HTMLElement {
  return create("fieldset", {}, create("legend", {}, name), ...children);
}

/** Creates a part that is folded below its name. */
export function createDetails(name: string, ...children: readonly Child[]): HTMLDetailsElement {
  return create("details", { class: "fold" }, create("summary", {}, name), ...children);
}

/** Creates a field of a form: a control below its label. */
export function createField(label: string, control: HTMLElement, ...others: readonly Child[]): HTMLElement {
  if (control.id === "") control.id = createId();
  return create("div", { class: "field" }, create("label", { for: control.id }, label), control, ...others);
}

/** Creates a select with its label, whose options' values are their places in the list. */
export function createSelect(label: string, options: readonly string[], onChange: (index: number) => void) {
  const all = options.map((option, index) => create("option", { value: String(index) }, option));
  const select = create("select", {}, ...all);
  select.addEventListener("input", () => {
    onChange(select.selectedIndex);
  });
  return { element: createField(label, select), select };
}

/** @throws when the page has no such element. */
export function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`The page has no ${selector}`);
  return element;
}
