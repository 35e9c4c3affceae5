import { escapeMarkup } from "../output/markup.js";
import { INDEX, type DocsFile } from "./site.js";

/** A site that the page leads to. */
export interface ListedSite {
  /** `v1` */
  readonly name: string;
  /** Relative to the page. */
  readonly href: string;
  /** Title and version of the contract. */
  readonly title: string;
}

const STYLE_FILE = "versions.css";

const STYLES = `:root {
  color-scheme: light dark;
}

body {
  margin: 2rem auto;
  padding: 0 1rem;
  max-width: 40rem;
  font-family: system-ui, sans-serif;
  line-height: 1.5;
}
`;

const POLICY = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

/** The page of a folder that has several docs sites. It needs no script. */
export function createVersionsFiles(sites: readonly ListedSite[]): readonly DocsFile[] {
  const links = sites.map(({ name, href, title }) => {
    return `<li><a href="${escapeMarkup(href)}">${escapeMarkup(name)}</a>: ${escapeMarkup(title)}</li>\n`;
  });
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(POLICY)}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>API documentation</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="${STYLE_FILE}" />
</head>
<body>
<main>
<h1>API documentation</h1>
<ul>
${links.join("")}</ul>
</main>
</body>
</html>
`;
  return [
    { name: INDEX, mediaType: "text/html; charset=utf-8", text },
    { name: STYLE_FILE, mediaType: "text/css; charset=utf-8", text: STYLES },
  ];
}
