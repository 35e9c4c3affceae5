import { createHtmlPage } from "../../output/html-page.js";
import { escapeMarkup } from "../../output/markup.js";
import { RELOAD_SCRIPT } from "../assets/index.js";

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
  return createHtmlPage({
    title: `Try ${title}`,
    policy,
    head: `<meta name="referrer" content="no-referrer">
<link rel="stylesheet" href="try.css">
<script src="theme.js"></script>
`,
    body: `<div id="console" data-origins="${escapeMarkup(origins.join(" "))}"${service === undefined ? "" : ` data-service="${escapeMarkup(service)}"`}>
<noscript>
This page needs JavaScript. What it calls: <a href="openapi.yaml">openapi.yaml</a>.
</noscript>
</div>
<script src="try-contract.js"></script>
<script src="try.js"></script>
${reload ? `<script src="${RELOAD_SCRIPT}"></script>\n` : ""}`,
  });
}
