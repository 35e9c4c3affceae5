import type { Handlers } from "../../generated/v1/server.js";
import type { HandlerContext, ServicePrincipals } from "./context.js";
import { notesHandlers } from "./notes.js";

/** A handler for every operation. */
export const handlers: Handlers<HandlerContext, ServicePrincipals> = {
  ...notesHandlers,
};
