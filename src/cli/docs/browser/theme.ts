import { create } from "./dom.js";
import { tryStorage } from "./storage.js";

/**
 * Runs before anything is painted: applies the theme that the reader chose on an earlier page, and fills the page's place for the
 * switch. Only a choice is written to the root element; without one, style sheets follow the system.
 */
const KEY = "tenon-theme";

const CHOICES = { system: "As the system", light: "Light", dark: "Dark" } as const;

function load(): string {
  const stored = tryStorage((storage) => storage.getItem(KEY)) ?? "";
  return Object.hasOwn(CHOICES, stored) ? stored : "system";
}

function apply(choice: string): void {
  const { dataset } = document.documentElement;
  if (choice === "system") delete dataset["theme"];
  else dataset["theme"] = choice;
}

apply(load());
// Style sheets show parts that need scripts.
document.documentElement.classList.add("scripted");

addEventListener("DOMContentLoaded", () => {
  const place = document.querySelector<HTMLElement>("[data-theme-switch]");
  if (place === null) return;
  const select = create(
    "select",
    {},
    ...Object.entries(CHOICES).map(([choice, name]) => new Option(name, choice)),
  );
  select.value = load();
  select.addEventListener("change", () => {
    const { value } = select;
    apply(value);
    tryStorage((storage) => {
      if (value === "system") storage.removeItem(KEY);
      else storage.setItem(KEY, value);
    });
  });
  // Another page of the site in another tab.
  addEventListener("storage", ({ key }) => {
    if (key === KEY) apply((select.value = load()));
  });
  place.append(create("label", {}, "Theme ", select));
  place.hidden = false;
});
