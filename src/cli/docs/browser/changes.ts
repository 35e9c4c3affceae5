/**
 * The script of pages of changes: shows the changes of the chosen levels, and hides headings and links without any. Screen readers
 * announce the `output`.
 */
const form = document.querySelector<HTMLFormElement>("form.filter");
if (form !== null) {
  const changes = [...document.querySelectorAll<HTMLElement>("[data-shade]")];
  const groups = [...document.querySelectorAll<HTMLElement>("[data-group]")].filter(
    (group) => group.querySelector("[data-shade]") !== null,
  );
  const links = [...document.querySelectorAll<HTMLAnchorElement>("nav a")];
  form.addEventListener("change", () => {
    const shades = new Set(new FormData(form).getAll("shade"));
    for (const change of changes) change.hidden = !shades.has(change.dataset["shade"] ?? "");
    for (const group of groups) group.hidden = group.querySelector("[data-shade]:not([hidden])") === null;
    for (const { hash, parentElement: item } of links)
      if (item !== null) item.hidden = document.getElementById(hash.slice(1))?.hidden === true;
    const shown = changes.filter(({ hidden }) => !hidden).length;
    const output = form.querySelector("output");
    if (output !== null) output.textContent = `Shown: ${shown} of ${changes.length}`;
  });
  form.hidden = false;
}
