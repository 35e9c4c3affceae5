/** Makes Redoc's elements accessible by keyboard and to screen readers: now, and whenever it renders something in `place`. */
export function keepAccessible(place: HTMLElement): void {
  const observer = new MutationObserver(() => {
    improve(place);
    observer.takeRecords();
  });
  observer.observe(place, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["class", "aria-hidden"],
  });
  place.addEventListener("keydown", clickByKey);
}

function improve(place: HTMLElement): void {
  // The heading "Authorizations", which unfolds what is below it, and "See more".
  for (const toggle of select(place, ":has(> h5 + svg):not([role]), a:not([href], [role])")) {
    toggle.role = "button";
    toggle.tabIndex = 0;
    if (toggle.tagName === "A") continue;
    toggle.ariaExpanded = "false";
    toggle.addEventListener("click", () => {
      toggle.ariaExpanded = String(toggle.ariaExpanded !== "true");
    });
  }
  // A method and path, which unfold the servers' addresses.
  for (const button of select(place, "button:has(> .http-verb)")) {
    const isFolded = button.nextElementSibling?.ariaHidden;
    if (isFolded !== undefined) button.ariaExpanded = String(isFolded !== "true");
  }
  // A property that has properties; its own label says "expand" also when it is.
  for (const button of select(place, "td > button")) {
    button.removeAttribute("aria-label");
    const next = button.closest("tr")?.nextElementSibling?.firstElementChild;
    button.ariaExpanded = String(next?.hasAttribute("colspan") === true);
  }
  // A response: Redoc sets the attribute only on the first click.
  for (const button of select(place, "button:has(> svg + strong):not([aria-expanded])"))
    button.ariaExpanded = "false";
  // A callback.
  for (const button of select(place, "button:has(> .operation-type)"))
    button.ariaExpanded = String(button.nextElementSibling?.matches("div") === true);
  markPressed([...select(place, "span + div > button")]);
  for (const link of select(place, ":is(h1, h2) > a[aria-label]")) link.ariaLabel = "Link to this section";
  // A table of a description, which scrolls where it is wider than the screen.
  for (const table of select(place, "table:has(> thead):not([tabindex])")) table.tabIndex = 0;
  // Below a heading of the second level.
  for (const heading of select(place, "h5:not([aria-level])")) heading.ariaLevel = "3";
}

/** The schemas that `oneOf` offers: Redoc shows the chosen one by its ground alone, which the page's styles change by this. */
function markPressed(buttons: readonly HTMLElement[]): void {
  for (const button of buttons) button.removeAttribute("aria-pressed");
  const pressed = buttons.map((button) => getComputedStyle(button).backgroundColor !== "rgb(255, 255, 255)");
  for (const [index, button] of buttons.entries()) button.ariaPressed = String(pressed[index]);
}

function select(place: HTMLElement, selector: string): Iterable<HTMLElement> {
  return place.querySelectorAll<HTMLElement>(selector);
}

function clickByKey(event: KeyboardEvent): void {
  const { target, key } = event;
  if (key !== "Enter" && key !== " ") return;
  if (!(target instanceof HTMLElement) || target.role !== "button" || target.tagName === "BUTTON") return;
  event.preventDefault();
  target.click();
}
