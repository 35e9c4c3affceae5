import type { Node } from "tenon/core/document";
import type { MenuItem } from "../../paging/menu-entries.js";

interface Store {
  readonly menu: { readonly items: readonly MenuItem[] };
  onDidMount(): void;
  /** Ends listening to scrolling and to the address. */
  dispose(): void;
}

/** Redoc, which `redoc.js` defines before this script runs. */
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

/** Reads the entries of Redoc's menu. Their ids are those of the elements that it renders. */
export function readMenu(contract: Node): readonly MenuItem[] {
  const store = new Redoc.AppStore(contract, undefined, createRedocOptions("light"), false);
  store.dispose();
  return store.menu.items;
}

/**
 * Renders into a new element, which takes the place of `place`'s former ones when it is done.
 * @param className Class of the new element.
 * @returns false when it is not shown, because something else was rendered after it.
 */
export async function render(
  place: HTMLElement,
  contract: Node,
  theme: Theme,
  className: string,
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

export type Theme = "light" | "dark";

/**
 * Creates Redoc's options. The page has a menu, a search and scrolling of its own.
 * @see https://redocly.com/docs/redoc/config
 */
function createRedocOptions(theme: Theme) {
  const dark = theme === "dark" ? createDarkTheme() : undefined;
  return {
    // Relative, so that the links work below any path and from a folder.
    downloadUrls: [
      { title: "openapi.yaml", url: "openapi.yaml" },
      { title: "openapi.json", url: "openapi.json" },
    ],
    disableSearch: true,
    expandResponses: "200,201",
    hideFab: true,
    hideLoading: true,
    jsonSamplesExpandLevel: 3,
    // Its own scroll bars would listen to the page for as long as it lives.
    nativeScrollbars: true,
    pathInMiddlePanel: true,
    // Descriptions are Markdown, which may contain HTML: the policy keeps scripts out, this the rest.
    sanitize: true,
    sortRequiredPropsFirst: true,
    theme: {
      ...dark?.colors,
      spacing: { sectionHorizontal: 24, sectionVertical: 24 },
      sidebar: { width: "0px" },
      rightPanel: { width: "38%", ...dark?.panel },
      typography: {
        fontFamily: "var(--text-font)",
        headings: { fontFamily: "var(--text-font)" },
        code: { fontFamily: "var(--code-font)", wrap: true, ...dark?.code },
        ...(dark && { links: { color: dark.link } }),
      },
    },
  };
}

/**
 * Creates the dark theme, while the page is dark. Redoc computes further colours from these, so that it needs the values of
 * `palette.css` and not references to them.
 */
function createDarkTheme() {
  const palette = getComputedStyle(document.documentElement);
  const get = (name: string) => palette.getPropertyValue(`--${name}`).trim();
  const [ground, raised, text, faint, line] = ["ground", "raised", "text", "faint", "line"].map(get);
  const [link, breaking, risky, safe] = ["link", "breaking", "risky", "safe"].map(get);
  const toResponse = (color: string | undefined) => ({ color, tabTextColor: color });
  return {
    link,
    colors: {
      colors: {
        primary: { main: link },
        success: { main: safe },
        warning: { main: risky },
        error: { main: breaking },
        gray: { 50: raised, 100: raised },
        text: { primary: text, secondary: faint },
        border: { dark: line, light: ground },
        responses: {
          success: toResponse(safe),
          error: toResponse(breaking),
          redirect: toResponse(risky),
          info: toResponse(link),
        },
      },
      schema: { linesColor: line, nestedBackground: raised },
      codeBlock: { backgroundColor: "#0d1117" },
    },
    panel: {
      backgroundColor: "#1b2129",
      servers: { overlay: { backgroundColor: raised, textColor: text }, url: { backgroundColor: ground } },
    },
    code: { color: "#ffa198", backgroundColor: "rgba(255, 255, 255, 0.08)" },
  };
}
