import { constants, fstatSync, openSync, write, writeSync } from "node:fs";
import process from "node:process";

const STANDARD_OUTPUT = 1;

/**
 * Maximum number of bytes in one write. Several processes share standard output, and a pipe does not mix up writes of this
 * length (`PIPE_BUF`, see pipe(7)).
 */
const MAX_WRITE = 4_096;

/** Maximum number of bytes that wait to be written; further lines are dropped. */
const MAX_PENDING = 1_048_576;

/** Pause before the next write to a pipe that is full, in milliseconds. */
const RETRY_MS = 10;

/** A write that takes longer does not end by itself, in milliseconds. */
const STUCK_MS = 1_000;

const NEWLINE = 10;

/** Lines that are written together. */
interface Chunk {
  text: string;
  bytes: number;
}

/**
 * Writes lines to standard output, and never waits for its reader. Lines that cannot be written, because the disk or the buffer
 * is full, are dropped and counted.
 */
export class LogOutput {
  readonly #fd: number;
  readonly #chunks: Chunk[] = [];
  #pendingBytes = 0;
  #current = Buffer.alloc(0);
  /** Number of bytes of `#current` that are written. */
  #offset = 0;
  /** When the write began that is in progress in a thread. */
  #writingSince: number | undefined;
  #isBusy = false;
  /** The last line was written only in part. */
  #isTorn = false;
  #dropped = 0;

  /** @param fd File descriptor. Default: standard output. */
  constructor(fd = STANDARD_OUTPUT) {
    this.#fd = openNonBlocking(fd);
    process.once("exit", () => {
      this.#end();
    });
  }

  /** Number of lines that were not written. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @param line Ends with a newline. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#pendingBytes + bytes > MAX_PENDING) {
      this.#dropped += 1;
      return;
    }
    this.#pendingBytes += bytes;
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.bytes + bytes <= MAX_WRITE) {
      last.text += line;
      last.bytes += bytes;
    } else this.#chunks.push({ text: line, bytes });
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    this.#isBusy = this.#take();
    if (this.#isBusy) this.#write();
  }

  /** Makes the next chunk the current one. */
  #take(): boolean {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return false;
    this.#pendingBytes -= chunk.bytes;
    this.#current = Buffer.from(this.#isTorn ? `\n${chunk.text}` : chunk.text);
    this.#offset = 0;
    return true;
  }

  #write(): void {
    this.#writingSince = performance.now();
    write(this.#fd, this.#current, this.#offset, (error, written) => {
      this.#writingSince = undefined;
      if (error === null) this.#advance(written);
      else if (error.code === "EAGAIN") {
        setTimeout(() => {
          this.#write();
        }, RETRY_MS);
        return;
      } else this.#drop();
      if (this.#offset < this.#current.length) this.#write();
      else this.#next();
    });
  }

  #advance(written: number): void {
    this.#offset += written;
    this.#isTorn = this.#current[this.#offset - 1] !== NEWLINE;
  }

  /** Drops the rest of the current chunk. */
  #drop(): void {
    for (const byte of this.#current.subarray(this.#offset)) if (byte === NEWLINE) this.#dropped += 1;
    // The newline that was to end a torn line does not count as one.
    if (this.#isTorn && this.#offset === 0) this.#dropped -= 1;
    this.#offset = this.#current.length;
  }

  /** Writes at the end of the process what can be written without waiting. */
  #end(): void {
    if (this.#writingSince !== undefined) {
      // The end of a process waits for its threads, and a thread that is blocked in write(2) waits forever.
      if (performance.now() - this.#writingSince > STUCK_MS) process.kill(process.pid, "SIGKILL");
      this.#offset = this.#current.length;
    }
    try {
      do {
        while (this.#offset < this.#current.length)
          this.#advance(writeSync(this.#fd, this.#current, this.#offset));
      } while (this.#take());
    } catch {
      // These lines are lost; the metrics have ended too.
    }
  }
}

/** Returns a descriptor whose writes fail with EAGAIN instead of waiting for a reader, where the system has that. */
function openNonBlocking(fd: number): number {
  // `bigint`, because Node keeps plain stats in a place that its module loader reads too: the stats of a pipe would make it stop
  // following symbolic links to packages.
  if (fstatSync(fd, { bigint: true }).isFile()) return fd;
  try {
    // Opened again, because another process that shares the descriptor may make it wait.
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // A socket cannot be opened, and /proc exists only on Linux. The stream of Node.js makes pipes and sockets non-blocking.
    process.stdout.off("error", ignore).on("error", ignore);
    return fd;
  }
}

function ignore(): void {
  // The write that failed has its own callback.
}
