import { loadRedoc } from "./redoc.js";

/** One file of the docs site, by its name relative to the site's root. */
export interface DocsFile {
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
}

/** What a page needs to know of a contract. */
export interface DocumentedContract {
  readonly info: { readonly title: string; readonly version: string };
}

/** Extensions of the contract that readers should see; Redoc shows only the ones that it is told of. */
const SHOWN_EXTENSIONS = ["x-stability-level", "x-deprecated-since", "x-sunset", "x-replaced-by"];

/**
 * What the page may load: its own files, styles that Redoc writes into the page, pictures inside them, and the search
 * worker that it makes itself. Nothing from any other host.
 */
export const DOCS_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The docs site of a contract: a few files with relative names, which work under any path and from a folder on disk.
 * The contract is a script rather than a JSON file, because a page opened from a folder may not fetch.
 */
export function createDocsSite(contract: DocumentedContract): readonly DocsFile[] {
  return [
    { name: "index.html", mediaType: "text/html; charset=utf-8", text: page(contract) },
    {
      name: "contract.js",
      mediaType: "text/javascript; charset=utf-8",
      text: `globalThis.contract = ${toScript(contract)};\n`,
    },
    { name: "docs.js", mediaType: "text/javascript; charset=utf-8", text: START },
    { name: "redoc.js", mediaType: "text/javascript; charset=utf-8", text: loadRedoc() },
  ];
}

function page({ info: { title, version } }: DocumentedContract): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(`${title} ${version}`)}</title>
    <link rel="icon" href="data:," />
    <style>
      body {
        margin: 0;
      }
    </style>
  </head>
  <body>
    <main id="docs"><noscript>These pages need JavaScript; the contract itself is at /openapi.yaml.</noscript></main>
    <script src="redoc.js"></script>
    <script src="contract.js"></script>
    <script src="docs.js"></script>
  </body>
</html>
`;
}

const START = `Redoc.init(
  globalThis.contract,
  {
    expandResponses: "200,201",
    hideDownloadButtons: true,
    jsonSamplesExpandLevel: 3,
    pathInMiddlePanel: true,
    requiredPropsFirst: true,
    showExtensions: ${JSON.stringify(SHOWN_EXTENSIONS)},
    sortRequiredPropsFirst: true,
  },
  document.getElementById("docs"),
);
`;

/** JSON that is safe as a script: U+2028 and U+2029 end lines in old ones, and "<" could end an inline one. */
function toScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")
    .replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
