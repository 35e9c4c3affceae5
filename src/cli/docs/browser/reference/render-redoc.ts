import type { Node } from "tenon/core/document";
import type { MenuItem } from "../../paging/menu-entries.js";
import { createRedocOptions, type Theme } from "./redoc-options.js";

interface Store {
  readonly menu: { readonly items: readonly MenuItem[] };
  onDidMount(): void;
  /** Ends listening to scrolling and to the address. */
  dispose(): void;
}

/** What `redoc.js`, which the page loads before this, defines. */
declare global {
  var Redoc: {
    init(contract: object, options: object, element: HTMLElement, callback: (error?: Error) => void): void;
    readonly AppStore: {
      new (contract: object, address: undefined, options: object, index: false): Store;
      readonly prototype: Store;
    };
  };
}

// Redoc would follow scrolling and the address by itself, for as long as the page lives, also what is no longer shown.
Redoc.AppStore.prototype.onDidMount = function (this: Store) {
  this.dispose();
};

/** What Redoc's menu would have: its ids are those of what it renders. */
export function readMenu(contract: Node): readonly MenuItem[] {
  const store = new Redoc.AppStore(contract, undefined, createRedocOptions("light"), false);
  store.dispose();
  return store.menu.items;
}

export interface Rendering {
  readonly theme: Theme;
  /** Class of the element around. */
  readonly className: string;
}

/**
 * Renders into a new element, which takes the place of `place`'s former ones when it is done.
 * @returns Whether it is shown: not when something else was rendered after it.
 */
export async function render(
  place: HTMLElement,
  contract: Node,
  { theme, className }: Rendering,
): Promise<boolean> {
  const element = document.createElement("div");
  element.className = `reference ${theme} ${className} coming`;
  place.append(element);
  await new Promise<void>((resolve) => {
    // An error is shown in the element.
    Redoc.init(contract, createRedocOptions(theme), element, () => {
      resolve();
    });
  });
  if (element !== place.lastElementChild) return false;
  place.replaceChildren(element);
  element.classList.remove("coming");
  return true;
}
