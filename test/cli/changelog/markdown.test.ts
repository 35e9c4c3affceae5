import { describe, expect, test } from "@jest/globals";
import {
  type ChangelogChange,
  type ChangelogVersion,
  summarise,
} from "../../../src/cli/changelog/changelog.js";
import { toMarkdown } from "../../../src/cli/changelog/markdown.js";

const CHANGE: ChangelogChange = {
  section: "risky",
  code: "response-enum-value-added",
  level: "risky",
  operations: ["GET /pets", "GET /pets/{petId}"],
  message: "The response 200 at status got a value",
  why: "Clients can receive a value that they do not know.",
};
const VERSION: ChangelogVersion = {
  version: "2.0.0",
  since: "v1.0.0",
  counts: { breaking: 0, risky: 2, safe: 0 },
  changes: [CHANGE],
};
const write = (changes: readonly ChangelogChange[]) =>
  toMarkdown({ title: "Pets", versions: [{ ...VERSION, changes }], unreadable: [] });

describe("a changelog as Markdown", () => {
  test("has a heading for each version and section", () => {
    expect(write([CHANGE])).toBe(`# Changelog of Pets

## 2.0.0

2 risky changes since v1.0.0.

### Risky

- **GET /pets and 1 more operation**: The response 200 at status got a value. Clients can receive a value that they do not know.
`);
  });

  test("lists removals first, and shows levels that the heading does not", () => {
    const text = write([CHANGE, { ...CHANGE, section: "removed", level: "breaking", operations: [] }]);
    expect(text.indexOf("### Removed")).toBeLessThan(text.indexOf("### Risky"));
    expect(text).toContain("- **the contract** (breaking): ");
  });

  test("shows the reason of an ignored change", () => {
    expect(write([{ ...CHANGE, ignored: "Internal." }])).toContain(
      " (ignored): The response 200 at status got a value. Internal.\n",
    );
  });

  test("lists skipped revisions", () => {
    const unreadable = [{ revision: "v1.1.0", reason: "openapi.yaml:1:1  document-syntax" }];
    expect(toMarkdown({ title: "Pets", versions: [], unreadable })).toBe(
      "# Changelog of Pets\n\nNo changes.\n\nv1.1.0 was skipped: openapi.yaml:1:1 document-syntax\n",
    );
  });

  test("shows text of a contract as it is", () => {
    expect(write([{ ...CHANGE, message: "<b>*@all*" }])).toContain("&lt;b&gt;&#42;&#64;all&#42;");
    expect(write([{ ...CHANGE, message: "red\u001b[31m" }])).not.toContain("\u001b");
  });
});

test.each<[string, Partial<ChangelogVersion>]>([
  ["2 risky changes since v1.0.0.", {}],
  ["Only the version number changed since v1.0.0.", { changes: [] }],
  ["All changes since v1.0.0 are ignored.", { counts: { breaking: 0, risky: 0, safe: 0 } }],
])("%s", (text, more) => {
  expect(summarise({ ...VERSION, ...more })).toBe(text);
});

test("First version in this changelog.", () => {
  const { since, ...first } = VERSION;
  expect([since, summarise(first)]).toEqual(["v1.0.0", "First version in this changelog."]);
});
