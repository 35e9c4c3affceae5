/** Screens where the menu covers the content, as `reference.css` has it; Redoc changes its layout at the same width. */
const NARROW = "(max-width: 50rem)";

/** Opens and closes the menu on a narrow screen, where it covers the content. On a wide one it is always there. */
export function createDrawer(
  button: HTMLElement,
  menu: HTMLElement,
  content: HTMLElement,
): { close: () => void } {
  const set = (isOpen: boolean) => {
    menu.classList.toggle("open", isOpen);
    button.ariaExpanded = String(isOpen);
    content.inert = isOpen;
  };
  const isOpen = () => menu.classList.contains("open");
  button.addEventListener("click", () => {
    set(!isOpen());
    if (isOpen()) menu.querySelector("input")?.focus();
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !isOpen()) return;
    set(false);
    button.focus();
  });
  // A screen that is turned may have room for both.
  matchMedia(NARROW).addEventListener("change", ({ matches }) => {
    if (!matches) set(false);
  });
  button.hidden = false;
  return {
    close: () => {
      if (!isOpen()) return;
      set(false);
      content.focus({ preventScroll: true });
    },
  };
}
