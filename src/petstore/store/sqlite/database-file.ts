import { closeSync, openSync, readSync, statSync } from "node:fs";
import { StoreUnavailableError } from "../store.js";

/** The part of the file's header in use. @see https://sqlite.org/fileformat2.html#the_database_header */
const HEADER_BYTES = 44;

/** Start of the header that never changes while the file is open: magic string, page size, format. */
const FIXED_BYTES = 24;

/** The part of a write-ahead log's header in use. @see https://sqlite.org/fileformat2.html#the_write_ahead_log */
const LOG_HEADER_BYTES = 24;

/** Start of a write-ahead log; its last bit is the byte order. */
const LOG_MAGIC = 0x377f0682;

/** Descriptors by device and inode. */
const descriptors = new Map<string, { readonly descriptor: number; users: number }>();

/**
 * The files of an open database: commits to files that were removed, replaced or overwritten would not survive a restart. SQLite
 * does not notice, because it continues with the files that it opened. A check takes about 10 µs.
 */
export class DatabaseFile {
  readonly #path: string;
  readonly #logPath: string;
  readonly #identity: string;
  readonly #logIdentity: string;
  readonly #memoryPath: string;
  readonly #memoryIdentity: string | undefined;
  readonly #descriptor: number;
  readonly #logDescriptor: number;
  readonly #fixed: Buffer;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #size: bigint;
  #logSize: bigint;
  #logHeader: Buffer;
  #schemaCookie: number;
  #damage: string | undefined;

  /** @param path Absolute path of a database that is open in this process, with a write-ahead log. */
  constructor(path: string) {
    this.#path = path;
    this.#logPath = `${path}-wal`;
    const [file, log] = [toState(path), toState(this.#logPath)];
    this.#memoryPath = `${path}-shm`;
    this.#memoryIdentity = toState(this.#memoryPath)?.identity;
    if (file === undefined || log === undefined) throw new StoreUnavailableError(`${path} was removed.`);
    this.#identity = file.identity;
    this.#logIdentity = log.identity;
    this.#size = file.size;
    this.#logSize = log.size;
    this.#descriptor = openShared(path, file.identity);
    this.#logDescriptor = openSync(this.#logPath, "r");
    this.#logHeader = this.#readLogHeader();
    const read = this.#readHeader();
    this.#fixed = Buffer.from(this.#header.subarray(0, Math.min(read, FIXED_BYTES)));
    this.#schemaCookie = this.#header.readUInt32BE(40);
  }

  /**
   * Checks that the files at their paths are the open ones, and not truncated or overwritten. Call it within a transaction.
   * @throws {StoreUnavailableError} also after damage was repaired: what SQLite has in memory no longer matches the file.
   */
  assertIntact(): void {
    const [file, log] = [toState(this.#path), toState(this.#logPath)];
    if (file?.identity !== this.#identity)
      throw new StoreUnavailableError(`The database is not at ${this.#path} any more.`);
    if (log?.identity !== this.#logIdentity)
      throw new StoreUnavailableError(`The database's log is not at ${this.#logPath} any more.`);
    // Its locks are those of the log: a process that opens another one does not wait for this process, nor see its commits.
    if (toState(this.#memoryPath)?.identity !== this.#memoryIdentity)
      throw new StoreUnavailableError(
        `The memory that processes share is not at ${this.#memoryPath} any more.`,
      );
    const logHeader = this.#readLogHeader();
    this.#damage ??= this.#findDamage(file.size);
    // A log that starts again has a new salt in its header.
    if (log.size < this.#logSize && log.size > 0 && logHeader.equals(this.#logHeader))
      this.#damage ??= "has a truncated log";
    if (this.#damage !== undefined) {
      throw new StoreUnavailableError(
        `The database at ${this.#path} ${this.#damage}. Stop the service and restore a backup.`,
      );
    }
    this.#size = file.size;
    this.#logSize = log.size;
    this.#logHeader = logHeader;
    this.#schemaCookie = this.#header.readUInt32BE(40);
  }

  /**
   * Checks after a commit that a restart would read it from the log. A commit to a truncated log leaves a hole at its start. An
   * empty log is valid: the commit changed nothing, or a checkpoint has moved it to the file.
   */
  assertLogged(): void {
    const header = this.#readLogHeader();
    if (header.length > 0 && header.readUInt32BE(0) >>> 1 !== LOG_MAGIC >>> 1)
      throw new StoreUnavailableError(`The database's log at ${this.#logPath} was truncated.`);
  }

  /** Records damage that was found elsewhere; from now on {@link assertIntact} throws. */
  markCorrupt(): void {
    this.#damage ??= "is corrupt";
  }

  /** Call it only when the database is closed in this connection. */
  close(): void {
    closeShared(this.#identity);
    closeSync(this.#logDescriptor);
  }

  #findDamage(size: bigint): string | undefined {
    if (this.#readHeader() < this.#fixed.length) return "was truncated";
    if (!this.#header.subarray(0, this.#fixed.length).equals(this.#fixed)) return "was overwritten";
    return size < this.#size && !this.#isVacuumed(size) ? "was truncated" : undefined;
  }

  /** A `vacuum` changes the schema cookie, and the header then has the new size. An older copy has the old cookie. */
  #isVacuumed(size: bigint): boolean {
    const pageSize = this.#header.readUInt16BE(16);
    const pages = this.#header.readUInt32BE(28);
    return (
      this.#header.readUInt32BE(40) !== this.#schemaCookie &&
      // The format has 1 for 65,536, which two bytes cannot hold.
      size === BigInt(pages) * BigInt(pageSize === 1 ? 65_536 : pageSize)
    );
  }

  #readLogHeader(): Buffer {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    return header.subarray(0, readSync(this.#logDescriptor, header, 0, LOG_HEADER_BYTES, 0));
  }

  /** @returns the number of bytes read. */
  #readHeader(): number {
    return readSync(this.#descriptor, this.#header, 0, HEADER_BYTES, 0);
  }
}

function toState(path: string): { readonly identity: string; readonly size: bigint } | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && { identity: `${stats.dev}:${stats.ino}`, size: stats.size };
}

/**
 * Opens a database file once in this process. Closing any descriptor of a file releases all locks of the process on it, so none may
 * be closed while SQLite has it open. @see https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
function openShared(path: string, identity: string): number {
  const opened = descriptors.get(identity) ?? { descriptor: openSync(path, "r"), users: 0 };
  opened.users += 1;
  descriptors.set(identity, opened);
  return opened.descriptor;
}

function closeShared(identity: string): void {
  const opened = descriptors.get(identity);
  if (opened === undefined || (opened.users -= 1) > 0) return;
  descriptors.delete(identity);
  closeSync(opened.descriptor);
}
