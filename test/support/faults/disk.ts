import { rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { TraceEvent } from "./trace.js";

/** What a disk writes whole or not at all, in bytes. */
const SECTOR = 512;

/** How much of what was not synced a power cut leaves: nothing, some writes, or some sectors of each. */
export const LEFTOVERS = ["nothing", "writes", "sectors"] as const;
export type Leftover = (typeof LEFTOVERS)[number];

type Change = Extract<TraceEvent, { kind: "write" | "truncate" }>;

interface DiskFile {
  /** What is on the disk for sure. */
  durable: Buffer;
  /** What may or may not be, in any part. */
  pending: Change[];
  /** Is its name in the directory for sure, or for sure not? */
  isNamed: boolean | undefined;
}

/**
 * The files of one directory as a disk keeps them: what was written is certain only once the file was synced, and a name
 * only once the directory was.
 */
export class Disk {
  readonly #folder: string;
  readonly #files = new Map<string, DiskFile>();

  /** @param files That are there at first, by path. */
  constructor(folder: string, files: ReadonlyMap<string, Buffer>) {
    this.#folder = folder;
    for (const [path, durable] of files) this.#files.set(path, { durable, pending: [], isNamed: true });
  }

  apply(event: TraceEvent): void {
    if (event.kind === "send") return;
    if (event.kind === "sync" && event.path === this.#folder) {
      for (const file of this.#files.values()) file.isNamed ??= true;
      return;
    }
    // The memory that processes share is made anew after a power cut.
    if (dirname(event.path) !== this.#folder || event.path.endsWith("-shm")) return;
    if (event.kind === "unlink") {
      this.#files.delete(event.path);
      return;
    }
    const file = this.#files.get(event.path) ?? { durable: Buffer.alloc(0), pending: [], isNamed: undefined };
    this.#files.set(event.path, file);
    if (event.kind === "sync") {
      file.durable = file.pending.reduce(change, file.durable);
      file.pending = [];
    } else if (event.kind === "write" || event.kind === "truncate") file.pending.push(event);
  }

  /** Writes to `folder` what a power cut now might leave. */
  cut(folder: string, leftover: Leftover, random: () => number): void {
    for (const [path, { durable, pending, isNamed }] of this.#files) {
      const target = join(folder, basename(path));
      rmSync(target, { force: true });
      if (isNamed === undefined && random() < 0.5) continue;
      const kept = leftover === "nothing" ? [] : pending.flatMap((event) => keep(event, leftover, random));
      // A copy, because the one of this disk is changed no more.
      writeFileSync(target, kept.reduce(change, Buffer.from(durable)));
    }
  }
}

function keep(event: Change, leftover: Leftover, random: () => number): Change[] {
  if (leftover === "writes" || event.kind === "truncate") return random() < 0.5 ? [event] : [];
  const { path, offset, bytes } = event;
  const parts: Change[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = Math.min(bytes.length, start + SECTOR - ((offset + start) % SECTOR));
    if (random() < 0.5)
      parts.push({ kind: "write", path, offset: offset + start, bytes: bytes.subarray(start, end) });
    start = end;
  }
  return parts;
}

/** May change `image` itself, or return a longer one. */
function change(image: Buffer, event: Change): Buffer {
  const size =
    event.kind === "truncate" ? event.size : Math.max(image.length, event.offset + event.bytes.length);
  const changed =
    size > image.length ? Buffer.concat([image, Buffer.alloc(size - image.length)]) : image.subarray(0, size);
  if (event.kind === "write") event.bytes.copy(changed, event.offset);
  return changed;
}
