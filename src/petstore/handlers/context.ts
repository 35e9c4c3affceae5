import type { KeyPrincipal } from "../keys/keys.js";
import type { Store } from "../store/store.js";

/** Context that every handler receives besides the request. */
export interface HandlerContext {
  readonly store: Store;
}

/** The caller, by security scheme of the contract. */
export interface ServicePrincipals {
  readonly bearerAuth: KeyPrincipal;
}
