import { escapeMarkup } from "../../output/markup.js";
import { RELOAD_SCRIPT } from "../reload.js";

export interface ConsolePage {
  readonly title: string;
  readonly policy: string;
  /** Where the service is, relative to the page's origin or absolute; undefined: one of the contract's servers. */
  readonly service: string | undefined;
  /** That the policy lets it call, besides its own. */
  readonly origins: readonly string[];
  readonly reload: boolean;
}

/** The page on which calls are tried. Everything in it but this frame is made by its script. */
export function createConsolePage({ title, policy, service, origins, reload }: ConsolePage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}" />
    <meta name="referrer" content="no-referrer" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeMarkup(`Try ${title}`)}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="try.css" />
    <script src="theme.js"></script>
  </head>
  <body>
    <div
      id="console"
      data-origins="${escapeMarkup(origins.join(" "))}"${service === undefined ? "" : `\n      data-service="${escapeMarkup(service)}"`}
    >
      <noscript>
        This page needs JavaScript. What it calls: <a href="openapi.yaml">openapi.yaml</a>.
      </noscript>
    </div>
    <script src="try-contract.js"></script>
    <script src="try.js"></script>${reload ? `\n    <script src="${RELOAD_SCRIPT}"></script>` : ""}
  </body>
</html>
`;
}
