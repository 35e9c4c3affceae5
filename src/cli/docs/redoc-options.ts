import { PALETTES, type Theme } from "./palette.js";

const TEXT_FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const CODE_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

/**
 * Redoc's options, as JSON can say them. Menu, search and scrolling are the page's own.
 * @see https://redocly.com/docs/redoc/config
 */
export function createRedocOptions(theme: Theme) {
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
      ...(theme === "dark" && DARK_COLORS),
      spacing: { sectionHorizontal: 24, sectionVertical: 24 },
      sidebar: { width: "0px" },
      rightPanel: { width: "38%", ...(theme === "dark" && DARK_PANEL) },
      typography: {
        fontFamily: TEXT_FONT,
        headings: { fontFamily: TEXT_FONT },
        code: { fontFamily: CODE_FONT, wrap: true, ...(theme === "dark" && DARK_CODE) },
        ...(theme === "dark" && { links: { color: PALETTES.dark.link } }),
      },
    },
  };
}

/** Redoc computes further colours from these, so that they cannot be custom properties of CSS. */
const DARK_COLORS = toColors(PALETTES.dark);

function toColors({ ground, raised, text, faint, line, link, breaking, risky, safe }: typeof PALETTES.dark) {
  const toResponse = (color: string) => ({ color, tabTextColor: color });
  return {
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
  };
}

const DARK_PANEL = {
  backgroundColor: "#1b2129",
  servers: {
    overlay: { backgroundColor: PALETTES.dark.raised, textColor: PALETTES.dark.text },
    url: { backgroundColor: PALETTES.dark.ground },
  },
};

const DARK_CODE = { color: "#ffa198", backgroundColor: "rgba(255, 255, 255, 0.08)" };
