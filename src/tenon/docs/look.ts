const TEXT_FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const CODE_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

/**
 * Redoc's options, as JSON can say them.
 * @see https://redocly.com/docs/redoc/config
 */
const REDOC_OPTIONS = {
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

/** The script that starts Redoc on the page. */
export const START_SCRIPT = `Redoc.init(
  globalThis.contract,
  ${JSON.stringify(REDOC_OPTIONS, null, 2).replaceAll("\n", "\n  ")},
  document.getElementById("docs"),
);
`;

/** What Redoc's theme has no option for. Redoc's class names change from build to build, so elements are told by shape. */
export const STYLES = `body {
  margin: 0;
}

/* A command that is cut off at the edge cannot be read on a phone. */
#docs pre,
#docs pre code {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}

/* Names in a table of a description stay whole; Redoc breaks them after any letter. */
#docs thead code,
#docs thead ~ tbody code {
  word-break: normal;
  overflow-wrap: break-word;
}

/* The arrow beside "Authorizations". */
#docs div:has(> h5 + svg) {
  white-space: nowrap;
}

/* The description of a response begins beside its status. */
#docs button > strong + div > p:first-child {
  display: inline;
}

/* In place of Redoc's remote logo there is an empty picture. */
#docs .menu-content img {
  display: none;
}

#docs .menu-content {
  box-sizing: border-box;
  border-right: 1px solid #e1e4e8;
}

#docs .menu-content .operation-type {
  font-size: 9px;
}

#docs [data-role="search:results"] {
  min-height: 0;
}

/* On a narrow screen Redoc keeps a second distance below each heading that stands alone in its row. */
@media (max-width: 75rem) {
  #docs [data-section-id] > div > div:has(> :is(h1, h2):only-child) {
    padding-bottom: 0;
  }
}

@media (max-width: 40rem) {
  #docs thead th,
  #docs thead ~ tbody td {
    padding: 5px 6px;
  }

  #docs thead code,
  #docs thead ~ tbody code {
    padding: 0 3px;
    font-size: 12px;
  }

  #docs thead ~ tbody td:last-child code {
    overflow-wrap: anywhere;
  }
}
`;
