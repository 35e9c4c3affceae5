import { relative } from "node:path";
import type { ApiConfig } from "../project/config.js";
import { UsageError } from "../output/context.js";
import type { State } from "./build.js";
import type { History, Revision } from "./history.js";

/** Both ends may be left out: the beginning, and the working tree. */
export interface Range {
  readonly from?: string;
  readonly to?: string;
}

/** @throws {UsageError} when it has not the form of one. */
export function parseRange(text: string): Range {
  const [from = "", to, ...others] = text.split("..");
  if (to === undefined || others.length > 0 || to.startsWith(".")) {
    throw new UsageError(
      `"${text}" is no range; write one as v1.0.0..v2.0.0, or v1.0.0.. up to the working tree.`,
    );
  }
  return { ...(from !== "" && { from }), ...(to !== "" && { to }) };
}

export interface ListOptions {
  readonly history: History;
  readonly api: ApiConfig;
  readonly cwd: string;
  /** Of tags, see {@link History.listTags}. */
  readonly pattern: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The base of the range, every version within, and its end, oldest first.
 * @param range Undefined: from the first version tag, which there has to be, to the working tree.
 * @throws {UsageError} when an end is no revision, or there is no version.
 */
export async function listStates(
  range: Range | undefined,
  { history, api, cwd, pattern, now }: ListOptions,
): Promise<readonly State[]> {
  const { from: start, to: end } = range ?? {};
  const from = start === undefined ? undefined : await history.find(start);
  const to = end === undefined ? undefined : await history.find(end);
  const tags = await history.listTags({
    until: to?.commit ?? "HEAD",
    ...(from !== undefined && { since: from.commit }),
    ...(pattern !== undefined && { pattern }),
  });
  if (range === undefined && tags.length === 0) {
    throw new UsageError(
      pattern === undefined
        ? 'There is no version tag, such as v1.2.0, in the history of HEAD. Name a range, "HEAD~10.." say, or tags of another form with --tags.'
        : `No tag in the history of HEAD is as "${pattern}" and ends in a version.`,
    );
  }
  const toState = (revision: Revision, flags: Pick<State, "isBase" | "isNeeded">): State => {
    const { name, date, instant } = revision;
    const open = () => history.open(revision);
    return { name, revision: name, ...(date !== undefined && { date }), instant, open, ...flags };
  };
  const states = tags.map((tag) => toState(tag, { isBase: false, isNeeded: false }));
  if (from !== undefined) states.unshift(toState(from, { isBase: true, isNeeded: true }));
  if (to === undefined) {
    const source = { file: api.root, show: (path: string) => relative(cwd, path) };
    const open = () => Promise.resolve(source);
    states.push({ name: "Unreleased", instant: now, open, isBase: false, isNeeded: true });
  } else if (!tags.some(({ commit }) => commit === to.commit)) {
    states.push(toState(to, { isBase: false, isNeeded: true }));
  }
  return states;
}
