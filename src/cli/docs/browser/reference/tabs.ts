import { create, createId } from "../dom.js";
import { tryStorage } from "../storage.js";

/** Sets of tabs with the same group have the same choice, which is kept: a language. */
const groups = new Map<string, ((label: string) => void)[]>();

/** Makes tabs of panels that are below each other. */
export function createTabs(element: HTMLElement): void {
  const panels = [...element.querySelectorAll<HTMLElement>(":scope > .panel")];
  const group = element.dataset["group"] === "" ? undefined : element.dataset["group"];
  const tabs = panels.map((panel) => {
    panel.id ||= createId();
    panel.setAttribute("role", "tabpanel");
    const { label = "", kind } = panel.dataset;
    const attributes = { id: createId(), "aria-controls": panel.id, class: kind };
    const tab = create("button", { type: "button", role: "tab", ...attributes }, label);
    panel.setAttribute("aria-labelledby", tab.id);
    return tab;
  });
  const list = create(
    "div",
    { class: "tab-list", role: "tablist", "aria-label": element.dataset["name"] },
    ...tabs,
  );
  const show = (index: number) => {
    for (const [at, tab] of tabs.entries()) {
      const isShown = at === index;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      panels[at]?.toggleAttribute("hidden", !isShown);
    }
  };
  const showLabel = (label: string) => {
    const index = panels.findIndex((panel) => panel.dataset["label"] === label);
    if (index >= 0) show(index);
  };
  const choose = (index: number) => {
    show(index);
    const label = panels[index]?.dataset["label"];
    if (group === undefined || label === undefined) return;
    tryStorage((storage) => {
      storage.setItem(toKey(group), label);
    });
    // The other sets may be above: the reader's place stays where it is on the screen.
    const top = list.getBoundingClientRect().top;
    for (const showOther of groups.get(group) ?? []) showOther(label);
    scrollBy(0, list.getBoundingClientRect().top - top);
  };
  list.addEventListener("click", ({ target }) => {
    const index = tabs.findIndex((tab) => tab === target);
    if (index >= 0) choose(index);
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    const next = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : step && at + step;
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    choose(index);
    tabs[index]?.focus();
  });
  element.prepend(list);
  element.classList.add("ready");
  show(0);
  if (group === undefined) return;
  groups.set(group, [...(groups.get(group) ?? []), showLabel]);
  showLabel(tryStorage((storage) => storage.getItem(toKey(group))) ?? "");
}

function toKey(group: string): string {
  return `tenon-${group}`;
}
