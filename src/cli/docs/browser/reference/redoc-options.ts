export type Theme = "light" | "dark";

const TEXT_FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const CODE_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

/**
 * Redoc's options, as JSON can say them. Menu, search and scrolling are the page's own.
 * @see https://redocly.com/docs/redoc/config
 */
export function createRedocOptions(theme: Theme) {
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
        fontFamily: TEXT_FONT,
        headings: { fontFamily: TEXT_FONT },
        code: { fontFamily: CODE_FONT, wrap: true, ...dark?.code },
        ...(dark && { links: { color: dark.link } }),
      },
    },
  };
}

/**
 * Redoc computes further colours from these, so that it needs the values of `palette.css`, and no references to them. The page has the
 * dark theme when it is asked for.
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
