import { isDeepStrictEqual } from "node:util";
import type { PetJson } from "../petstore.js";

export type SentPet = Omit<PetJson, "id">;

/** Why what is kept is not what it must be: one line each, the first ones of many. */
export type Problems = string[];

export interface Tally {
  /** Creations that were sent. */
  readonly sent: number;
  /** Those that were answered 201. */
  readonly answered: number;
  /** Those of the others that were kept all the same, which is allowed. */
  readonly keptUnanswered: number;
  /** Those answered 201 that were not found again. */
  readonly lost: number;
  /** Found twice, half, changed, or never sent. */
  readonly wrong: number;
}

const STATUSES = ["available", "pending", "sold", undefined] as const;
const MOST_PROBLEMS = 10;

/** What was sent and what was answered, to be held against what is there afterwards. */
export class Ledger {
  readonly #sent = new Map<string, SentPet>();
  readonly #answered = new Map<number, PetJson>();
  readonly #lost = new Set<number>();
  readonly #wrong = new Set<string>();
  readonly #keptUnanswered = new Set<string>();
  readonly problems: Problems = [];

  get answered(): number {
    return this.#answered.size;
  }

  get tally(): Tally {
    return {
      sent: this.#sent.size,
      answered: this.#answered.size,
      keptUnanswered: this.#keptUnanswered.size,
      lost: this.#lost.size,
      wrong: this.#wrong.size,
    };
  }

  /** An animal that no other is like, small or large; it is sent once and never again. */
  next(): SentPet {
    const name = `${this.#sent.size} ŷ🐈 ${"x".repeat(Math.random() < 0.1 ? Math.random() * 9000 : Math.random() * 60)}`;
    const status = STATUSES[Math.floor(Math.random() * STATUSES.length)];
    const categoryId = Math.round((Math.random() * 2 - 1) * Number.MAX_SAFE_INTEGER);
    const pet = { name, categoryId, ...(status !== undefined && { status }) };
    this.#sent.set(name, pet);
    return pet;
  }

  /** Notes a 201. */
  answer(sent: SentPet, { id, ...rest }: PetJson): void {
    if (this.#answered.has(id)) this.#note(`id ${id} was answered twice`);
    if (!isDeepStrictEqual(rest, sent)) this.#note(`id ${id} was answered with other values`);
    this.#answered.set(id, { id, ...rest });
  }

  /** Compares with all animals that are kept with an `id` above `after`; nothing may be under way. */
  check(kept: readonly PetJson[], after = 0): void {
    const found = new Map(kept.map((pet) => [pet.id, pet]));
    const names = new Set<string>();
    if (found.size !== kept.length) this.#note(`an id is there twice after ${after}`);
    for (const [id, pet] of this.#answered) {
      if (id <= after || isDeepStrictEqual(found.get(id), pet)) continue;
      if (found.has(id)) this.#note(`id ${id} is not as it was answered`);
      else {
        this.#lost.add(id);
        this.#tell(`id ${id} was answered 201 and is gone`);
      }
    }
    for (const { id, ...pet } of kept) {
      if (names.has(pet.name)) this.#note(`id ${id} was created a second time`);
      names.add(pet.name);
      if (!isDeepStrictEqual(this.#sent.get(pet.name), pet)) this.#note(`id ${id} was never sent like this`);
      if (!this.#answered.has(id)) this.#keptUnanswered.add(pet.name);
    }
  }

  #note(problem: string): void {
    this.#wrong.add(problem);
    this.#tell(problem);
  }

  #tell(problem: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
  }
}
