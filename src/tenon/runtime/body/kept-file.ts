import { createReadStream, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { ReceivedFile } from "./form-files.js";

/** The contents of a part: bytes, or the path of a temporary file that has them. */
export type PartContent = Buffer | string;

/** A file in memory, or on the disk if it is large. */
export class KeptFile extends ReceivedFile {
  constructor(
    filename: string,
    mediaType: string,
    size: number,
    private readonly content: PartContent,
  ) {
    super(filename, mediaType, size);
  }

  get isOnDisk(): boolean {
    return typeof this.content === "string";
  }

  get bytes(): Uint8Array {
    return typeof this.content === "string" ? readFileSync(this.content) : this.content;
  }

  stream(): Readable {
    return typeof this.content === "string"
      ? createReadStream(this.content)
      : Readable.from([this.content], { objectMode: false });
  }
}
