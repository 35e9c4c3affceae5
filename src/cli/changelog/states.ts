import type { ApiConfig } from "../project/index.js";
import { UsageError } from "../output/context.js";
import type { State } from "./build.js";
import type { History, Revision } from "./history.js";
import { showPath } from "../output/show-path.js";

/** A range of revisions. Default: from the beginning, up to the working tree. */
export interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Parses `v1.0.0..v2.0.0`. @throws {UsageError} when it has another form. */
export function parseRange(text: string): Range {
  const [from = "", to, ...others] = text.split("..");
  if (to === undefined || others.length > 0 || to.startsWith(".")) {
    throw new UsageError(`"${text}" is not a range. Use v1.0.0..v2.0.0, or v1.0.0.. up to the working tree.`);
  }
  return { from: from || undefined, to: to || undefined };
}

export interface ListOptions {
  readonly history: History;
  readonly api: Pick<ApiConfig, "root">;
  readonly cwd: string;
  /** Pattern of version tags, see {@link History.listTags}. */
  readonly pattern: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Lists the start of a range, every version in it and its end, oldest first.
 * @param range Default: from the first version tag to the working tree.
 * @throws {UsageError} when an end is not a revision, or there is no version tag.
 */
export async function listStates(
  range: Range | undefined,
  { history, api, cwd, pattern, now }: ListOptions,
): Promise<readonly State[]> {
  const { from: start, to: end } = range ?? {};
  const from = start === undefined ? undefined : await history.find(start);
  const to = end === undefined ? undefined : await history.find(end);
  const tags = await history.listTags({
    since: from?.commit,
    until: to?.commit ?? "HEAD",
    pattern,
  });
  if (range === undefined && tags.length === 0) {
    throw new UsageError(
      pattern === undefined
        ? 'The history of HEAD has no version tag such as v1.2.0. Pass a range such as "HEAD~10..", or another form of tags with --tags.'
        : `The history of HEAD has no tag that matches "${pattern}" and ends in a version.`,
    );
  }
  const toState = (revision: Revision, flags: Pick<State, "isBase" | "isRequired">): State => {
    const { name, date, instant } = revision;
    return { name, revision: name, date, instant, open: () => history.open(revision), ...flags };
  };
  const states = tags.map((tag) => toState(tag, { isBase: false, isRequired: false }));
  if (from !== undefined) states.unshift(toState(from, { isBase: true, isRequired: true }));
  if (to === undefined) {
    const source = { file: api.root, show: (path: string) => showPath(path, cwd), isOnDisk: true };
    const open = () => Promise.resolve(source);
    states.push({ name: "Unreleased", instant: now, open, isBase: false, isRequired: true });
  } else if (!tags.some(({ commit }) => commit === to.commit)) {
    states.push(toState(to, { isBase: false, isRequired: true }));
  }
  return states;
}
