/** The reader's input in a control. */
interface ControlState {
  readonly value: string;
  /** Undefined for what is not a box. */
  readonly checked?: boolean;
  readonly files: readonly File[];
}

/** The reader's input in a form without its keys, in the order of its controls. */
export type FormState = readonly ControlState[];

function listControls(form: HTMLElement): readonly HTMLInputElement[] {
  const controls = [...form.querySelectorAll<HTMLInputElement>("input, select, textarea")];
  return controls.filter((control) => control.closest(".secrets") === null);
}

export function saveForm(form: HTMLElement): FormState {
  return listControls(form).map(({ type, value, checked, files }) => ({
    value,
    ...(type === "checkbox" && { checked }),
    files: [...(files ?? [])],
  }));
}

/** Fills in a form as the reader did. */
export function restoreForm(form: HTMLElement, state: FormState): void {
  // Input checks the box of its field: boxes come last.
  const order = (one: ControlState) => (one.checked === undefined ? 0 : 1);
  for (const [index, one] of [...state.entries()].sort(([, a], [, b]) => order(a) - order(b))) {
    // A choice replaces controls after it.
    const control = listControls(form)[index];
    if (control === undefined) continue;
    if (control.type === "file") {
      const transfer = new DataTransfer();
      // A file does not survive the way to an authorization server.
      for (const file of one.files) if (file instanceof File) transfer.items.add(file);
      control.files = transfer.files;
    } else if (one.checked === undefined) control.value = one.value;
    else control.checked = one.checked;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
