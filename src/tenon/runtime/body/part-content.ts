import { mkdtempSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { CollectedBytes } from "./collected-bytes.js";
import type { PartContent } from "./kept-file.js";

/** Bytes of a file that are written at once. */
const WRITE_BYTES = 65_536;

export interface ContentLimits {
  /** Maximum size of the part in bytes. */
  readonly limit: number;
  /** Bytes that are kept in memory; a larger part becomes a temporary file. */
  readonly inMemory: number;
  readonly files: TemporaryFiles;
}

/** @returns undefined for a part that is larger than the limit. */
export async function readContent(
  content: AsyncIterable<Buffer>,
  { limit, inMemory, files }: ContentLimits,
): Promise<{ readonly size: number; readonly content: PartContent } | undefined> {
  const waiting = new CollectedBytes();
  let size = 0;
  let path: string | undefined;
  let file: FileHandle | undefined;
  try {
    for await (const chunk of content) {
      size += chunk.byteLength;
      if (size > limit) return undefined;
      waiting.add(chunk);
      if (size <= inMemory || (path !== undefined && waiting.size < WRITE_BYTES)) continue;
      path ??= files.createPath();
      file ??= await open(path, "wx", 0o600);
      await file.writeFile(waiting.take());
    }
    await file?.writeFile(waiting.take());
  } finally {
    await file?.close();
  }
  return { size, content: path ?? waiting.take() };
}

/** The temporary files of one body, in a folder of their own. */
export class TemporaryFiles {
  #directory: string | undefined;
  #count = 0;

  /** @param onFiles Called with the function that removes the files, before the first one is created. */
  constructor(
    private readonly folder: string,
    private readonly onFiles: (remove: () => void) => void,
  ) {}

  createPath(): string {
    if (this.#directory === undefined) this.onFiles(this.remove);
    this.#directory ??= mkdtempSync(join(this.folder, "tenon-upload-"));
    this.#count += 1;
    return join(this.#directory, String(this.#count));
  }

  readonly remove = (): void => {
    if (this.#directory === undefined) return;
    void rm(this.#directory, { recursive: true, force: true }).catch(() => undefined);
  };
}
