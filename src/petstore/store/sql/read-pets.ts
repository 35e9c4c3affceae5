import type { Pet, PetPage, PetQuery, PetStatus } from "../store.js";
import type { SqlDatabase, Statement } from "./work.js";

export const PET_COLUMNS = "id, name, category_id, status";

export interface PetRow {
  readonly id: number;
  readonly name: string;
  readonly category_id: number;
  readonly status: PetStatus | null;
}

/** A row whose name is null when it is long. */
interface ShortPetRow extends Omit<PetRow, "name"> {
  readonly name: string | null;
}

const GET_PET: Statement = {
  name: "get pet",
  text: `select ${PET_COLUMNS} from pets where id = $1`,
  isSingle: true,
};
/** Maximum size of a page, as JSON in bytes; a single pet may be larger. */
const PAGE_BYTES = 1_048_576;
/** Maximum size of a name that every page has room for: each of its bytes is at most 6 in JSON, `\u0001`. */
const SHORT_NAME_BYTES = 1_536;

/** Statements that list pets. Parameters: the `id` to continue after, the number of rows, and the status for the second of two. */
const LIST_PETS = toLists(
  "list pets",
  `id, case when octet_length(name) <= ${SHORT_NAME_BYTES} then name end as name, category_id, status`,
);
const LIST_NAME_SIZES = toLists("list name sizes", "octet_length(name) as bytes");
const LIST_LONG_PETS = toLists("list pets with long names", PET_COLUMNS);

interface Lists {
  readonly all: Statement;
  readonly byStatus: Statement;
}

function toLists(name: string, columns: string): Lists {
  const select = `select ${columns} from pets where`;
  const page = "id > $1 order by id limit $2";
  return {
    all: { name, text: `${select} ${page}` },
    byStatus: { name: `${name} by status`, text: `${select} status = $3 and ${page}` },
  };
}

type Read = <Row>(lists: Lists, rows: number) => Promise<readonly Row[]>;

export async function readPet(database: SqlDatabase, id: number): Promise<Pet | undefined> {
  const [row] = await database.read<PetRow>(GET_PET, [id]);
  return row && toPet(row);
}

/** Reads a page, which ends early when its pets would exceed {@link PAGE_BYTES}. */
export async function readPage(
  database: SqlDatabase,
  { limit, status, after = 0 }: PetQuery,
): Promise<PetPage> {
  const read: Read = ({ all, byStatus }, rows) =>
    status === undefined ? database.read(all, [after, rows]) : database.read(byStatus, [after, rows, status]);
  // One row more than requested shows whether there is a next page.
  const found = await read<ShortPetRow>(LIST_PETS, limit + 1);
  const page = found.slice(0, limit);
  const rows = page.every(hasName) ? page : await readLong(read, limit);
  const pets = rows.map(toPet);
  const last = pets.at(-1);
  return found.length > pets.length && last !== undefined ? { pets, next: last.id } : { pets };
}

/** Reads the first rows of a page with long names, as many as fit. No pet changes, so the statements agree. */
async function readLong(read: Read, limit: number): Promise<readonly PetRow[]> {
  const sizes = await read<{ readonly bytes: number }>(LIST_NAME_SIZES, limit);
  const count = countFitting(sizes.map(({ bytes }) => bytes));
  const rows = await read<PetRow>(LIST_LONG_PETS, count);
  return rows.slice(0, countFitting(rows.map((row) => Buffer.byteLength(JSON.stringify(toPet(row))) + 1)));
}

function hasName(row: ShortPetRow): row is PetRow {
  return row.name !== null;
}

/** Counts the first pets, one or more, whose sizes in bytes fit into a page. */
function countFitting(sizes: readonly number[]): number {
  let sum = 0;
  const index = sizes.findIndex((size) => (sum += size) > PAGE_BYTES);
  return index === -1 ? sizes.length : Math.max(1, index);
}

export function toPet({ id, name, category_id: categoryId, status }: PetRow): Pet {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status };
}
