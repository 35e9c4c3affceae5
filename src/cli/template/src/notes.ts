import type { Note } from "../generated/v1/server.ts";

/** Keeps notes in memory until the service stops. Replace it with your database. */
export class NoteStore {
  readonly #notes: Note[] = [];
  #lastId = 0;

  add(text: string): Note {
    const note: Note = { id: (this.#lastId += 1), text };
    this.#notes.push(note);
    return note;
  }

  get(id: number): Note | undefined {
    return this.#notes.find((note) => note.id === id);
  }

  /** The newest first. */
  list(limit: number): readonly Note[] {
    return this.#notes.slice(-limit).reverse();
  }
}
