import type { NoteStore } from "../notes.js";

/** What every handler gets besides the request. */
export interface HandlerContext {
  readonly notes: NoteStore;
}

/** Who calls: what the authenticator of each security scheme yields. */
export interface ServicePrincipals {
  readonly bearerAuth: { readonly name: string };
}
