import type { KeyPrincipal } from "../keys/keys.js";
import type { Store } from "../store/store.js";

/** What every handler gets besides the request. */
export interface HandlerContext {
  readonly store: Store;
}

/** Who calls, by the contract's security schemes. */
export interface ServicePrincipals {
  readonly bearerAuth: KeyPrincipal;
}
