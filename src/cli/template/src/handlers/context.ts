import type { NoteStore } from "../notes.ts";

/** The third argument of every handler, together with `auth`. */
export interface HandlerContext {
  readonly notes: NoteStore;
}

/** The caller: the results of the authenticators, by security scheme. */
export interface ServicePrincipals {
  readonly bearerAuth: { readonly name: string };
}
