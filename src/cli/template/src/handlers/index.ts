import type { Handlers } from "../../generated/v1/server.ts";
import type { HandlerContext, ServicePrincipals } from "./context.ts";
import { notesHandlers } from "./notes.ts";

/** A handler for every operation. */
export const handlers: Handlers<HandlerContext, ServicePrincipals> = {
  ...notesHandlers,
};
