type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Makes an element. Texts become text, never markup. An attribute that is `true` is there, one that is `false` is not. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

let count = 0;

/** An id that no other element has. */
export function createId(): string {
  return `e${(count += 1)}`;
}

export function createButton(text: string, onClick: () => void): HTMLButtonElement {
  const button = create("button", { type: "button" }, text);
  button.addEventListener("click", onClick);
  return button;
}

/** A select with its label, whose options' values are their places in the list. */
export function createSelect(
  label: string,
  options: readonly string[],
  onChange: (index: number) => void,
): { readonly element: HTMLElement; readonly select: HTMLSelectElement } {
  const id = createId();
  const select = create(
    "select",
    { id },
    ...options.map((option, index) => create("option", { value: String(index) }, option)),
  );
  select.addEventListener("change", () => {
    onChange(select.selectedIndex);
  });
  return { element: create("div", { class: "field" }, create("label", { for: id }, label), select), select };
}
