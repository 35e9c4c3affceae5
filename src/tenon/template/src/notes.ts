import type { Note } from "../generated/v1/server.js";

/** Notes in memory: gone when the service stops. Put your database here. */
export class NoteStore {
  readonly #notes: Note[] = [];

  add(text: string): Note {
    const note: Note = { id: this.#notes.length + 1, text };
    this.#notes.push(note);
    return note;
  }

  get(id: number): Note | undefined {
    return this.#notes[id - 1];
  }

  /** The newest first. */
  list(limit: number): readonly Note[] {
    return this.#notes.slice(-limit).reverse();
  }
}
