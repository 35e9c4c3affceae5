import type { PartialHandlers } from "tenon/runtime";
import type { Handlers } from "../../generated/v1/server.ts";
import type { HandlerContext, ServicePrincipals } from "./context.ts";

/** Handlers for the operations with the tag "notes". */
export const notesHandlers = {
  listNotes({ query: { limit } }, reply, { notes }) {
    return reply[200](notes.list(limit));
  },

  createNote({ body: { text } }, reply, { notes }) {
    return reply[201](notes.add(text));
  },

  getNote({ path: { noteId } }, reply, { notes }) {
    const note = notes.get(noteId);
    if (note !== undefined) return reply[200](note);
    return reply[404]({ code: "note_not_found", message: `No note has the ID ${noteId}`, status: 404 });
  },
} satisfies PartialHandlers<Handlers<HandlerContext, ServicePrincipals>>;
