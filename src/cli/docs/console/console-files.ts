import type { Contract } from "tenon/core/model";
import {
  type DocsFile,
  toBrowserScript,
  toContractScript,
  toPage,
  toScript,
  toStyleSheet,
} from "../assets/index.js";
import { createConsolePage } from "./console-page.js";
import { createConsolePolicy, listCallable } from "./console-policy.js";

export interface ConsoleOptions {
  /** Address of the running service. */
  readonly service?: string | undefined;
  /** Origins that the console may call besides the page's own, the service's and those of the contract's servers. */
  readonly callable?: readonly string[];
  /** The page loads itself again when the service was restarted. Default: false. */
  readonly reload?: boolean;
}

/** Creates the page on which calls are tried, and its files: `try.html`, `try.css`, `try.js` and the contract as it is. */
export function createConsoleFiles(
  document: object,
  contract: Contract,
  { service, callable: allowed, reload = false }: ConsoleOptions,
): readonly DocsFile[] {
  const { title, version } = contract;
  const origins = listCallable(contract, { service, allowed });
  const policy = createConsolePolicy(origins);
  const page = createConsolePage({ title: `${title} ${version}`, policy, service, origins, reload });
  return [
    toPage("try.html", page, policy),
    toStyleSheet("try.css", "palette", "console", "form"),
    toBrowserScript("try.js", "console"),
    toScript("try-contract.js", toContractScript(document)),
  ];
}
