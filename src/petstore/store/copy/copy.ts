import { createHash, hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { OperatorError } from "../../errors.js";
import {
  type CopySide,
  IDEMPOTENCY_KEYS,
  KEY_EVENTS,
  KEY_USES,
  KEYS,
  PETS,
  type Row,
  type Table,
} from "./side.js";
import type { SqlValue } from "../sql/work.js";

export interface CopyOptions {
  /** Called after each step with the number of pets compared, copied or verified so far. */
  readonly onProgress?: (step: "compared" | "copied" | "verified", pets: number) => void;
  /** Rows in one step. Default: 5,000. */
  readonly stepSize?: number;
}

/** The contents of both sides when the copy is done. */
export interface CopyResult {
  readonly pets: number;
  /** How many of them an earlier, interrupted copy had written. */
  readonly petsBefore: number;
  readonly keys: number;
  /** SHA-256 of all rows, in hexadecimal digits. */
  readonly checksum: string;
}

/** A copy that is not possible, or that differs from its source. */
export class CopyError extends OperatorError {
  override readonly name = "CopyError";
}

/**
 * Copies all pets, API keys and idempotency keys. Continues an interrupted copy: the target may only contain rows that
 * a copy of the same source wrote. Afterwards all rows of both sides are read again and compared.
 * @throws {CopyError} when the target contains anything else, or when one of the sides changed during the copy.
 */
export async function copyStore(
  source: CopySide,
  target: CopySide,
  { onProgress, stepSize = 5000 }: CopyOptions = {},
): Promise<CopyResult> {
  const newKeys = await findNewKeys(source, target, stepSize);

  let pets = 0;
  let after = PETS.start;
  for await (const existing of target.read(PETS, stepSize)) {
    const expected = await source.readStep(PETS, existing.length, after);
    if (!existing.every((row, index) => isDeepStrictEqual(row, expected[index])))
      throw containsOtherRows(target);
    after = existing.at(-1)?.slice(0, 1) ?? after;
    pets += existing.length;
    onProgress?.("compared", pets);
  }
  const petsBefore = pets;

  for await (const rows of source.read(PETS, stepSize, after)) {
    await target.insert(PETS, rows);
    pets += rows.length;
    onProgress?.("copied", pets);
  }
  await target.insert(KEYS, newKeys);
  // An interrupted copy may have written keys that have expired in the source since then.
  await target.clear(IDEMPOTENCY_KEYS);
  for (const table of [KEY_EVENTS, KEY_USES, IDEMPOTENCY_KEYS])
    for await (const rows of source.read(table, stepSize)) await target.insert(table, rows);
  await target.writeLastId(await source.readLastId());

  const verified = (count: number): void => onProgress?.("verified", count);
  const read = await summarize(source, stepSize, verified);
  const written = await summarize(target, stepSize, verified);
  if (read.checksum !== written.checksum) {
    throw new CopyError(
      `${target.place} differs from ${source.place}: ${written.pets} pets and ${written.keys} keys instead of ` +
        `${read.pets} and ${read.keys}. Stop everything that writes to either, and copy again.`,
    );
  }
  return { ...read, petsBefore };
}

/** Returns the keys of the source that the target lacks; those that it has must be the same. */
async function findNewKeys(source: CopySide, target: CopySide, stepSize: number): Promise<readonly Row[]> {
  const existing = new Map<SqlValue | undefined, Row>();
  for await (const rows of target.read(KEYS, stepSize)) for (const row of rows) existing.set(row[0], row);
  const keys: Row[] = [];
  for await (const rows of source.read(KEYS, stepSize)) keys.push(...rows);
  const equal = keys.filter((row) => isDeepStrictEqual(row, existing.get(row[0])));
  if (equal.length !== existing.size) throw containsOtherRows(target);
  return keys.filter(([id]) => !existing.has(id));
}

async function summarize(
  side: CopySide,
  stepSize: number,
  onPets: (count: number) => void,
): Promise<Omit<CopyResult, "petsBefore">> {
  const checksum = createHash("sha256");
  const counts = new Map<Table, number>();
  for (const table of [PETS, KEYS, KEY_EVENTS, KEY_USES, IDEMPOTENCY_KEYS]) {
    let count = 0;
    let sum = 0n;
    for await (const rows of side.read(table, stepSize)) {
      // A sum of hashes is the same in every order: engines sort text differently.
      for (const row of rows) sum += toNumber(row);
      count += rows.length;
      if (table === PETS) onPets(count);
    }
    counts.set(table, count);
    checksum.update(`${table.name} ${count} ${sum}\n`);
  }
  checksum.update(`${await side.readLastId()}\n`);
  return { pets: counts.get(PETS) ?? 0, keys: counts.get(KEYS) ?? 0, checksum: checksum.digest("hex") };
}

/** SHA-256 of a row as a number. */
function toNumber(row: Row): bigint {
  const values = row.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
  );
  return BigInt(`0x${hash("sha256", JSON.stringify(values))}`);
}

function containsOtherRows(target: CopySide): CopyError {
  return new CopyError(
    `${target.place} contains pets or keys that a copy of this source did not write. Name an empty database.`,
  );
}
