import { loadBrowserScript } from "../browser-script.js";
import type { DocsFile, DocumentedContract, SiteOptions } from "../site.js";
import { toScript } from "../to-script.js";
import { CONSOLE_STYLES } from "./look.js";
import { createConsolePage } from "./page.js";
import { createConsolePolicy, listCallable } from "./policy.js";

/** The page on which calls are tried, and its files: `try.html`, `try.css`, `try.js` and the contract as it is. */
export function createConsoleFiles(contract: DocumentedContract, options: SiteOptions): readonly DocsFile[] {
  const { service, callable: allowed, reload = false } = options;
  const { title, version } = contract.info;
  const origins = listCallable(contract, { service, allowed });
  const policy = createConsolePolicy(origins);
  const page = createConsolePage({ title: `${title} ${version}`, policy, service, origins, reload });
  const script = "text/javascript; charset=utf-8";
  return [
    { name: "try.html", mediaType: "text/html; charset=utf-8", text: page, policy },
    { name: "try.css", mediaType: "text/css; charset=utf-8", text: CONSOLE_STYLES },
    { name: "try.js", mediaType: script, text: loadBrowserScript("console") },
    { name: "try-contract.js", mediaType: script, text: toScript(contract) },
  ];
}
