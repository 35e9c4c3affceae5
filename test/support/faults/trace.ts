import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Something that a process did that matters to what a disk keeps, in order. */
export type TraceEvent =
  | { readonly kind: "create" | "unlink" | "sync"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: "truncate"; readonly path: string; readonly size: number }
  /** Handed to the kernel for a client. */
  | { readonly kind: "send"; readonly text: string };

const CALLS = "openat,pwrite64,write,writev,fsync,fdatasync,ftruncate,unlink";
const STRING = String.raw`"((?:\\x[0-9a-f]{2})*)"`;
const PATH = String.raw`<((?:\\x[0-9a-f]{2})*)>`;
const FORMS = {
  write: new RegExp(`^pwrite64\\(\\d+${PATH}, ${STRING}, \\d+, (\\d+)\\) = (\\d+)`),
  sync: new RegExp(`^f(?:data)?sync\\(\\d+${PATH}\\) = 0`),
  truncate: new RegExp(`^ftruncate\\(\\d+${PATH}, (\\d+)\\) = 0`),
  create: new RegExp(`^openat\\(.*O_CREAT.* = \\d+${PATH}`),
  unlink: new RegExp(`^unlink\\(${STRING}\\) = 0`),
};

/** A call that failed, or that the process did not live to see the end of. */
const FAILED = /\) += (-1|\?)[^"]*$/;

/** Why processes cannot be traced here; undefined when they can. */
export function findTraceProblem(): string | undefined {
  const { status, stderr, error } = spawnSync("strace", ["-o", "/dev/null", "true"], { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/**
 * Command that records what a program does in `file`. Only its first thread is followed: the driver of the database is
 * synchronous, and clients are answered by the same thread, so that the order is that in which all happened.
 */
export function toTraceCommand(file: string): readonly string[] {
  return ["strace", "-y", "-xx", "-s", "10000000", "-e", `trace=${CALLS}`, "-e", "signal=none", "-o", file];
}

/** Reads what {@link toTraceCommand} recorded. A call that is not understood is an error. */
export function readTrace(file: string): readonly TraceEvent[] {
  const events: TraceEvent[] = [];
  for (const line of readFileSync(file, "latin1").split("\n")) {
    const event = toEvent(line);
    if (event !== undefined) events.push(event);
  }
  return events;
}

function toEvent(line: string): TraceEvent | undefined {
  if (FAILED.test(line)) return undefined;
  if (line.startsWith("pwrite64(")) {
    const [, path = "", bytes = "", offset = "", count = ""] = match(FORMS.write, line);
    return {
      kind: "write",
      path: toText(path),
      offset: Number(offset),
      bytes: toBytes(bytes).subarray(0, Number(count)),
    };
  }
  if (line.startsWith("ftruncate(")) {
    const [, path = "", size = ""] = match(FORMS.truncate, line);
    return { kind: "truncate", path: toText(path), size: Number(size) };
  }
  if (/^f(data)?sync\(/.test(line)) return { kind: "sync", path: toText(match(FORMS.sync, line)[1] ?? "") };
  if (/^writev?\(/.test(line)) {
    const texts = [...line.matchAll(new RegExp(STRING, "g"))].map(([, bytes = ""]) => toText(bytes));
    return { kind: "send", text: texts.join("") };
  }
  const created = FORMS.create.exec(line)?.[1];
  if (created !== undefined) return { kind: "create", path: toText(created) };
  const unlinked = FORMS.unlink.exec(line)?.[1];
  return unlinked === undefined ? undefined : { kind: "unlink", path: toText(unlinked) };
}

function match(form: RegExp, line: string): RegExpExecArray {
  const found = form.exec(line);
  if (found === null) throw new Error(`The trace has a call that is not understood: ${line.slice(0, 200)}`);
  return found;
}

function toBytes(escaped: string): Buffer {
  return Buffer.from(escaped.replaceAll("\\x", ""), "hex");
}

function toText(escaped: string): string {
  return toBytes(escaped).toString("utf8");
}
