import { type Entry, readHash, toHash } from "../../paging/menu-entries.js";

/** How far below the top, in pixels, what is read may begin. */
const NEAR_TOP = 8;

/** Keeps the address at what is read, so that it can be shared, and comes back when the page is loaded again. */
export function followReading(entries: readonly Entry[], onRead: (id: string) => void): void {
  let isWaiting = false;
  addEventListener("scroll", () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      const id = findRead(entries)?.id ?? "";
      if (id === readHash(location.hash)) return;
      const { pathname, search } = location;
      history.replaceState(null, "", id === "" ? pathname + search : toHash(id));
      onRead(id);
    });
  });
}

/** The last that begins above the top, or near it; none at the beginning. */
function findRead(entries: readonly Entry[]): Entry | undefined {
  const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  return entries.findLast(({ alias }) => {
    const place = document.getElementById(alias);
    return place !== null && place.getBoundingClientRect().top <= top + NEAR_TOP;
  });
}
