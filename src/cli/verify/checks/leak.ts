import { toBodyText } from "../messages/index.js";
import type { Check } from "./finding.js";

/** Texts that only a service's internals have. */
const INTERNAL: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a stack trace", /\n?\s+at (?:[\w.<>$[\] ]+ )?\(?(?:file:\/\/|node:|\/|[A-Z]:\\)[^\s)]+:\d+:\d+/],
  ["a stack trace", /Traceback \(most recent call last\)|^\s*File "[^"]+", line \d+/m],
  ["a stack trace", /\bat [\w$.]+\((?:[\w$]+\.java|Native Method|Unknown Source)(?::\d+)?\)/],
  ["a stack trace", /goroutine \d+ \[|\.go:\d+ \+0x/],
  ["a stack trace", /\bat [\w.`<>]+\(.*\) in .+:line \d+/],
  ["a path of the server", /(?:^|[\s"'(=])(?:\/(?:home|root|usr|var|opt|tmp|etc|Users)\/[\w.-]+\/[\w./-]+)/],
  ["a path of the server", /\bnode_modules[\\/]|[A-Z]:\\(?:Users|Windows|inetpub|Program Files)\\/],
  ["a statement of a database", /\b(?:SELECT\b.+\bFROM|INSERT INTO|UPDATE\b.+\bSET|DELETE FROM)\b.+/is],
  ["an error of a database", /\bSQLITE_[A-Z]+\b|\bSQLSTATE\b|\bORA-\d{5}\b|\bPG::\w+Error\b/],
  [
    "an error of a database",
    /duplicate key value violates|syntax error at or near "|UNIQUE constraint failed: /,
  ],
  ["an error of a database", /\brelation "[^"]+" does not exist|You have an error in your SQL syntax/],
  ["an internal address", /\b(?:ECONNREFUSED|ENOTFOUND|ETIMEDOUT)\b.*\d/],
];

/** Errors reveal no internals. The data of other responses may look like anything. */
export const checkLeak: Check = ({ testCase, response }) => {
  const { status, headers } = response;
  if (status < 400) return [];
  const sent = JSON.stringify([testCase.value, testCase.raw?.text]);
  for (const text of [toBodyText(response), ...Object.values(headers).flat()]) {
    if (text === undefined) continue;
    // JSON escapes line ends.
    const plain = text
      .replaceAll(String.raw`\n`, "\n")
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("\\\\", "\\");
    for (const [what, pattern] of INTERNAL) {
      const found = pattern.exec(plain)?.[0].trim();
      // A text of the request is not internal.
      if (found === undefined || sent.includes(JSON.stringify(found).slice(1, -1))) continue;
      const message = `The response ${status} reveals ${what}: ${JSON.stringify(found.slice(0, 80))}`;
      return [{ check: "leak", message, detail: what, shared: true }];
    }
  }
  return [];
};
