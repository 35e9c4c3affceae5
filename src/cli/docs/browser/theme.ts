/**
 * Runs before anything is painted: applies the theme that the reader chose on an earlier page, and fills the page's place for the
 * switch. Only a choice is written to the root element; without one, style sheets follow the system.
 */
const KEY = "tenon-theme";

const CHOICES = { system: "As the system", light: "Light", dark: "Dark" } as const;
type Choice = keyof typeof CHOICES;

const isChoice = (value: unknown): value is Choice =>
  typeof value === "string" && Object.hasOwn(CHOICES, value);

/** Pages from a folder on disk, and where the reader blocks it, may have no storage: reading the property throws. */
function load(): Choice {
  try {
    const stored = localStorage.getItem(KEY);
    return isChoice(stored) ? stored : "system";
  } catch {
    return "system";
  }
}

function save(choice: Choice): void {
  try {
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Then it lasts as long as the page.
  }
}

function apply(choice: Choice): void {
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
  const select = document.createElement("select");
  for (const [choice, name] of Object.entries(CHOICES)) select.add(new Option(name, choice));
  select.value = load();
  select.addEventListener("change", () => {
    if (!isChoice(select.value)) return;
    apply(select.value);
    save(select.value);
  });
  // Another page of the site in another tab.
  addEventListener("storage", ({ key }) => {
    if (key !== KEY) return;
    select.value = load();
    apply(load());
  });
  const label = document.createElement("label");
  label.append("Theme ", select);
  place.append(label);
  place.hidden = false;
});
