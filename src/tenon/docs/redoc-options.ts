const TEXT_FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const CODE_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

/**
 * Redoc's options, as JSON can say them.
 * @see https://redocly.com/docs/redoc/config
 */
export const REDOC_OPTIONS = {
  // Relative, so that the links work below any path and from a folder.
  downloadUrls: [
    { title: "openapi.yaml", url: "openapi.yaml" },
    { title: "openapi.json", url: "openapi.json" },
  ],
  expandResponses: "200,201",
  jsonSamplesExpandLevel: 3,
  pathInMiddlePanel: true,
  // Descriptions are Markdown, which may contain HTML: the policy keeps scripts out, this the rest.
  sanitize: true,
  sortRequiredPropsFirst: true,
  theme: {
    spacing: { sectionHorizontal: 24, sectionVertical: 24 },
    sidebar: {
      backgroundColor: "#ffffff",
      // Redoc writes deprecated operations in #707070, which any darker ground makes too faint (WCAG 2.2, 1.4.3).
      groupItems: { activeBackgroundColor: "#f4f6fa" },
      level1Items: { activeBackgroundColor: "#f4f6fa" },
    },
    rightPanel: { width: "38%" },
    typography: {
      fontFamily: TEXT_FONT,
      headings: { fontFamily: TEXT_FONT },
      code: { fontFamily: CODE_FONT, wrap: true },
    },
  },
};
