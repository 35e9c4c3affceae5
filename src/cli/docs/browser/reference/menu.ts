import { fromFragment } from "../../render/ids.js";
import { create, createButton, createId } from "../dom.js";
import { prepareParts } from "./list-parts.js";

/** Opens and closes the menu on narrow screens, folds its groups, and marks the place in it that is read. */
export function createMenu(button: HTMLElement, menu: HTMLElement, content: HTMLElement): void {
  const setOpen = (isOpen: boolean) => {
    document.body.classList.toggle("menu-open", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
    // The menu covers it.
    content.inert = isOpen;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    setOpen(button.getAttribute("aria-expanded") !== "true");
  });
  menu.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a") !== null) setOpen(false);
  });
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !document.body.classList.contains("menu-open")) return;
    setOpen(false);
    button.focus();
  });
  markRead(menu, content, createFolds(menu));
}

/** A longer menu begins with its groups folded. */
const MAX_LINKS = 40;

/**
 * Makes the groups of the menu foldable.
 * @returns Unfolds the groups around a link, and folds those again that it has unfolded before.
 */
function createFolds(menu: HTMLElement): (link: Element | undefined) => void {
  const isLong = menu.querySelectorAll("a").length > MAX_LINKS;
  const buttons = new Map<Element, HTMLElement>();
  for (const link of menu.querySelectorAll<HTMLAnchorElement>(".group-link")) {
    const list = link.nextElementSibling ?? create("ul");
    let listAll = prepareParts(link, list);
    if (list.childElementCount === 0) continue;
    const isOpen = !isLong && listAll === undefined;
    list.id ||= createId();
    const toggle = () => {
      button.ariaExpanded = String(button.ariaExpanded !== "true");
      shown.delete(button);
      listAll?.();
      listAll = undefined;
    };
    const attributes = { class: "twist", "aria-controls": list.id, "aria-label": link.textContent };
    const button = createButton("", toggle, { ...attributes, "aria-expanded": String(isOpen) });
    link.after(button, list);
    if (link.parentElement !== null) buttons.set(link.parentElement, button);
  }
  let shown = new Set<HTMLElement>();
  return (link) => {
    const around = [...buttons].flatMap(([item, button]) => (link && item.contains(link) ? [button] : []));
    for (const button of shown) if (!around.includes(button)) button.setAttribute("aria-expanded", "false");
    const folded = around.filter((button) => button.getAttribute("aria-expanded") === "false");
    shown = new Set([...around.filter((button) => shown.has(button)), ...folded]);
    for (const button of folded) button.setAttribute("aria-expanded", "true");
  };
}

function markRead(menu: HTMLElement, content: HTMLElement, unfold: (link?: Element) => void): void {
  const links = new Map(
    [...menu.querySelectorAll("a")].map((link) => [fromFragment(link.hash.slice(1)), link]),
  );
  const places = [...content.querySelectorAll("[id]")].filter(({ id }) => links.has(id));
  let marked: HTMLAnchorElement | undefined;
  let isWaiting = false;
  // At the end of a page, places below the edge cannot be scrolled to it: the one of the address is read.
  const findTarget = (edge: number) => {
    if (scrollY + innerHeight < document.documentElement.scrollHeight - 1) return undefined;
    const target = `${fromFragment(location.hash.slice(1))}/`;
    return places.find(
      (one) => target.startsWith(`${one.id}/`) && topOf(one) > edge && topOf(one) < innerHeight,
    );
  };
  const update = () => {
    isWaiting = false;
    // A little below where a link's place scrolls to: what follows a short one is not read yet.
    const edge = Math.min(innerHeight / 3, 120);
    const place = findTarget(edge) ?? places.findLast((one) => topOf(one) <= edge) ?? places[0];
    const link = place && links.get(place.id);
    if (link === marked) return;
    if (marked !== undefined) showAddress(place === places[0] ? undefined : link);
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    unfold(link);
    marked = link;
    const { top = 0, bottom = 0 } = link?.getBoundingClientRect() ?? {};
    const frame = menu.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) menu.scrollTop += top - frame.top - frame.height / 3;
  };
  const wait = () => {
    if (!isWaiting) requestAnimationFrame(update);
    isWaiting = true;
  };
  addEventListener("scroll", wait);
  addEventListener("hashchange", wait);
  update();
}

const topOf = (place: Element): number => place.getBoundingClientRect().top;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps the address that of the place that is read, without an entry in the history. */
function showAddress(link: HTMLAnchorElement | undefined): void {
  clearTimeout(timer);
  // Browsers limit how often a page may do that.
  timer = setTimeout(() => {
    const hash = link?.hash ?? "";
    // A part of the place has an address of its own.
    const isWithin = hash !== "" && `${location.hash}/`.startsWith(`${hash}/`);
    const isPrinting = matchMedia("print").matches;
    if (!isWithin && !isPrinting)
      history.replaceState(history.state, "", hash || location.pathname + location.search);
  }, 250);
}
