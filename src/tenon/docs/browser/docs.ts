import { REDOC_OPTIONS } from "../redoc-options.js";

/** What `redoc.js` and `contract.js`, which the page loads before this, define. */
declare global {
  var Redoc: { init(contract: object, options: object, element: HTMLElement | null): void };
  var contract: object;
}

Redoc.init(globalThis.contract, REDOC_OPTIONS, document.getElementById("docs"));
