/**
 * The page's script: shows changes of the levels that are chosen, and hides headings and links that have none left. `output` tells
 * screen readers by itself what it says.
 */
export const FILTER_SCRIPT = `"use strict";
const form = document.querySelector("form.filter");
if (form !== null) {
  const changes = [...document.querySelectorAll("[data-shade]")];
  const groups = [...document.querySelectorAll("[data-group]")].filter((group) =>
    group.querySelector("[data-shade]"),
  );
  const links = [...document.querySelectorAll("nav a")];
  form.addEventListener("change", () => {
    const shades = new Set(new FormData(form).getAll("shade"));
    let shown = 0;
    for (const change of changes) {
      change.hidden = !shades.has(change.dataset.shade);
      if (!change.hidden) shown += 1;
    }
    for (const group of groups)
      group.hidden = group.querySelector("[data-shade]:not([hidden])") === null;
    for (const link of links)
      link.parentElement.hidden = document.getElementById(link.hash.slice(1)).hidden;
    form.querySelector("output").textContent = "Shown: " + shown + " of " + changes.length;
  });
  form.hidden = false;
}
`;
