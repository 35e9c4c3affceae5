import { escapeMarkup } from "./markup.js";

export interface HtmlPage {
  readonly title: string;
  /** Content-Security-Policy in the page itself, for a folder on disk or a host that sets no headers. Default: none. */
  readonly policy?: string;
  /** Address of the page's icon. Default: none. */
  readonly icon?: string;
  /** HTML of style sheets, scripts and further metadata. Default: none. */
  readonly head?: string;
  /** HTML of the body. */
  readonly body: string;
}

/** Creates an HTML page: the one shell of every page. */
export function createHtmlPage({ title, policy, icon = "data:,", head = "", body }: HtmlPage): string {
  const security =
    policy === undefined
      ? ""
      : `<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${security}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="${escapeMarkup(icon)}">
${head}</head>
<body>
${body}</body>
</html>
`;
}
