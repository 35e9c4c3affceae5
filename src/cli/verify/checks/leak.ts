import { toBodyText } from "../http/answer.js";
import type { Check } from "./check.js";

/** What only the inside of a service looks like. */
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
  ["an address of the inside", /\b(?:ECONNREFUSED|ENOTFOUND|ETIMEDOUT)\b.*\d/],
];

/** Answers that are errors; the data of others may look like anything. */
export const checkLeak: Check = ({ draft, answer }) => {
  const { status, headers } = answer;
  if (status < 400) return [];
  const sent = JSON.stringify([draft.value, draft.raw?.text]);
  const texts = [
    toBodyText(answer),
    ...Object.values(headers)
      .flat()
      .filter((text) => text !== undefined),
  ];
  for (const text of texts) {
    // Escaped in JSON, a line's end is no line's end.
    const plain = text
      .replaceAll(String.raw`\n`, "\n")
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("\\\\", "\\");
    for (const [what, pattern] of INTERNAL) {
      const found = pattern.exec(plain)?.[0].trim();
      // What was sent comes back, and is nothing of the inside.
      if (found === undefined || sent.includes(JSON.stringify(found).slice(1, -1))) continue;
      const message = `The answer ${status} shows ${what}: ${JSON.stringify(found.slice(0, 80))}`;
      return [{ check: "leak", message, detail: what, shared: true }];
    }
  }
  return [];
};
