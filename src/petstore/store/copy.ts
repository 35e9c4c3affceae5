import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Pet } from "../../../generated/v1/server.js";
import type { UsedKeyRow } from "./idempotency.js";
import type { IdempotencyKey, KeyEvent, StoredKey } from "./store.js";

/** One side of a copy: the rows of a store as they are. */
export interface CopySide {
  /** How messages call it; without a password. */
  readonly place: string;
  /** In ascending `id`. */
  readPets(after: number, limit: number): Promise<readonly Pet[]>;
  /** Keeps all of them with their ids, or none. */
  writePets(pets: readonly Pet[]): Promise<void>;
  /** In any order. */
  readKeys(): Promise<readonly StoredKey[]>;
  /** Keeps all of them, or none. */
  writeKeys(keys: readonly StoredKey[]): Promise<void>;
  readKeyHistory(): Promise<KeyHistory>;
  /** Adds what is not there yet. */
  writeKeyHistory(history: KeyHistory): Promise<void>;
  /** In an order that need not be another engine's. */
  readUsedKeys(after: IdempotencyKey, limit: number): Promise<readonly UsedKeyRow[]>;
  /** Keeps all of them, or none. */
  writeUsedKeys(keys: readonly UsedKeyRow[]): Promise<void>;
  deleteUsedKeys(): Promise<void>;
  /** The greatest `id` that was ever given, 0 at first. */
  readLastId(): Promise<number>;
  writeLastId(id: number): Promise<void>;
  close(): Promise<void>;
}

/** What is remembered of keys besides the keys themselves. */
export interface KeyHistory {
  readonly events: readonly KeyEvent[];
  /** When keys were last used, in ascending `id`. */
  readonly uses: ReadonlyMap<string, Date>;
}

export interface CopyOptions {
  /** Hears after each step how many animals were compared or copied. */
  readonly onProgress?: (step: "compared" | "copied" | "verified", pets: number) => void;
  /** Animals of one step; default 5000. */
  readonly stepSize?: number;
}

/** What both sides hold when the copy is done. */
export interface CopyResult {
  readonly pets: number;
  /** How many of them a copy that was cut short had brought over. */
  readonly petsBefore: number;
  readonly keys: number;
  /** SHA-256 of all rows, in hexadecimal digits. */
  readonly checksum: string;
}

/** A copy that cannot be made, or is not the same; the message is one line. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}

/**
 * Copies all animals, keys and idempotency keys. What is there already must be what an earlier copy of the same source left; it goes on
 * from there. At the end all rows of both sides are read again and compared.
 * @throws {CopyError} when the target holds anything else, or the source changed meanwhile.
 */
export async function copyStore(
  source: CopySide,
  target: CopySide,
  { onProgress, stepSize = 5000 }: CopyOptions = {},
): Promise<CopyResult> {
  const steps: Steps = { size: stepSize, tell: (step, pets) => onProgress?.(step, pets) };
  const newKeys = await findNewKeys(source, target);
  const { pets: petsBefore, last } = await comparePrefix(source, target, steps);

  let pets = petsBefore;
  for await (const step of readSteps(source, last, steps)) {
    await target.writePets(step);
    pets += step.length;
    steps.tell("copied", pets);
  }
  await target.writeKeys(newKeys);
  await target.writeKeyHistory(await source.readKeyHistory());
  // Those of a copy that was cut short may have been forgotten in the source since then.
  await target.deleteUsedKeys();
  for await (const step of readUsedKeys(source, steps)) await target.writeUsedKeys(step);
  await target.writeLastId(await source.readLastId());

  const [read, kept] = [await summarise(source, steps), await summarise(target, steps)];
  if (read.checksum !== kept.checksum) {
    throw new CopyError(
      `${target.place} differs from ${source.place}: ${kept.pets} animals and ${kept.keys} keys in place of ` +
        `${read.pets} and ${read.keys}. Stop whatever writes to either, and copy again.`,
    );
  }
  return { ...read, petsBefore };
}

interface Steps {
  readonly size: number;
  readonly tell: NonNullable<CopyOptions["onProgress"]>;
}

async function* readSteps(side: CopySide, after: number, { size }: Steps): AsyncGenerator<readonly Pet[]> {
  let last = after;
  for (;;) {
    const pets = await side.readPets(last, size);
    const end = pets.at(-1);
    if (end === undefined) return;
    yield pets;
    last = end.id;
  }
}

async function* readUsedKeys(side: CopySide, { size }: Steps): AsyncGenerator<readonly UsedKeyRow[]> {
  let last: IdempotencyKey = { caller: "", key: "" };
  for (;;) {
    const keys = await side.readUsedKeys(last, size);
    const end = keys.at(-1);
    if (end === undefined) return;
    yield keys;
    last = end;
  }
}

/** Compares what the target holds with what the source begins with. */
async function comparePrefix(
  source: CopySide,
  target: CopySide,
  steps: Steps,
): Promise<{ pets: number; last: number }> {
  let [pets, last] = [0, 0];
  for await (const there of readSteps(target, 0, steps)) {
    const here = await source.readPets(last, there.length);
    if (!there.every((pet, index) => isDeepStrictEqual(pet, here[index]))) throw holdsOther(target);
    pets += there.length;
    last = there.at(-1)?.id ?? last;
    steps.tell("compared", pets);
  }
  return { pets, last };
}

/** Keys of the source that the target lacks; those that it has must be the same. */
async function findNewKeys(source: CopySide, target: CopySide): Promise<readonly StoredKey[]> {
  const there = new Map(sortKeys(await target.readKeys()).map((key) => [key.id, key]));
  const here = sortKeys(await source.readKeys());
  const same = here.filter((key) => isDeepStrictEqual(key, there.get(key.id)));
  if (same.length !== there.size) throw holdsOther(target);
  return here.filter(({ id }) => !there.has(id));
}

async function summarise(side: CopySide, steps: Steps): Promise<Omit<CopyResult, "petsBefore">> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const pets of readSteps(side, 0, steps)) {
    for (const { id, name, categoryId, status } of pets) {
      hash.update(`${JSON.stringify([id, name, categoryId, status ?? null])}\n`);
    }
    count += pets.length;
    steps.tell("verified", count);
  }
  const keys = sortKeys(await side.readKeys());
  for (const { id, name, createdAt, expiresAt, revokedAt, replacedBy, hash: keyHash } of keys) {
    const fields = [
      id,
      name,
      createdAt,
      expiresAt,
      revokedAt,
      replacedBy,
      Buffer.from(keyHash).toString("hex"),
    ];
    hash.update(`${JSON.stringify(fields)}\n`);
  }
  hash.update(`${await summariseUsedKeys(side, steps)}\n`);
  hash.update(`${await side.readLastId()}\n`);
  const { events, uses } = await side.readKeyHistory();
  const lines = [
    ...events.map((event) => JSON.stringify(event)),
    ...[...uses].map((use) => JSON.stringify(use)),
  ];
  for (const line of lines.sort()) hash.update(`${line}\n`);
  return { pets: count, keys: keys.length, checksum: hash.digest("hex") };
}

/** The sum of the rows' hashes, which is the same in every order. */
async function summariseUsedKeys(side: CopySide, steps: Steps): Promise<bigint> {
  let sum = 0n;
  for await (const keys of readUsedKeys(side, steps)) {
    for (const { caller, key, fingerprint, petId, usedAt } of keys) {
      const fields = [caller, key, Buffer.from(fingerprint).toString("hex"), petId, usedAt];
      sum += BigInt(`0x${createHash("sha256").update(JSON.stringify(fields)).digest("hex")}`);
    }
  }
  return sum;
}

/** By code units, which every engine's own order may differ from; hashes as one type. */
function sortKeys(keys: readonly StoredKey[]): readonly StoredKey[] {
  return keys
    .map((key) => ({ ...key, hash: Uint8Array.from(key.hash) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function holdsOther(target: CopySide): CopyError {
  return new CopyError(
    `${target.place} holds other animals or keys than a copy that was cut short would have left. Name an empty database.`,
  );
}
