import type { Pet, PetStatus } from "../../../generated/v1/server.js";
import type { PetPage } from "./store.js";

// The texts are SQLite's and PostgreSQL's alike: `$1` is a parameter in both.

export const PET_COLUMNS = "id, name, category_id, status";

export const SELECT_PET = `select ${PET_COLUMNS} from pets where id = $1`;

/** Parameters: the `id` to continue after, the number of rows. */
export const SELECT_PETS = `select ${PET_COLUMNS} from pets where id > $1 order by id limit $2`;

/** Parameters: status, the `id` to continue after, the number of rows. */
export const SELECT_PETS_BY_STATUS = `select ${PET_COLUMNS} from pets where status = $1 and id > $2 order by id limit $3`;

export interface PetRow {
  readonly id: number;
  readonly name: string;
  readonly category_id: number;
  readonly status: PetStatus | null;
}

export function toPet({ id, name, category_id: categoryId, status }: PetRow): Pet {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status };
}

/** @param rows One more than `limit` when there is a next page. */
export function toPage(rows: readonly PetRow[], limit: number): PetPage {
  const pets = rows.slice(0, limit).map(toPet);
  const last = pets.at(-1);
  return rows.length > limit && last !== undefined ? { pets, next: last.id } : { pets };
}
