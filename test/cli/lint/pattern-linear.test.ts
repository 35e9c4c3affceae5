// @thorough: checks hundreds of patterns.
import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { isCostly } from "../../../src/cli/patterns/index.js";
import { runIn } from "../commands/run.js";
import { createProject } from "../load/project.js";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/pattern-linear";
const BAD = "^(a+)+$";
const GOOD = "^[a-z]+(?:-[a-z]+)*$";

const document = ({ request = GOOD, response = GOOD, name = GOOD }) => `openapi: 3.1.0
paths:
  /a:
    parameters: [{ name: q, in: query, schema: { pattern: '${name}' } }]
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Sent' } } } }
      responses: { "200": { content: { application/json: { schema: { pattern: '${response}' } } } } }
components:
  schemas:
    Sent: { items: { patternProperties: { '${request}': {} } } }
    Unused: { pattern: '${BAD}' }
`;

const message = `warn Expected a pattern that takes linear time; "^(a+)+$" takes exponential time, for example for 'a' + 'a'.repeat(31) + '\\x00'.`;

test.each([
  ["passes where callers reach only good ones", {}, []],
  ["refuses a parameter's", { name: BAD }, [`4:59 ${message}`]],
  ["refuses the pattern of a property in a body", { request: BAD }, [`10:43 ${message}`]],
  ["ignores those of responses", { response: BAD }, []],
])("pattern-linear %s", async (_, patterns, want) => {
  expect(await problemsOf(document(patterns), { rule })).toEqual(want);
});

/** Patterns in which matching takes exponential or polynomial time, as published; the source is beside each. */
const BACKTRACKING: readonly (readonly [string, string])[] = [
  ["OWASP, Regular expression Denial of Service", "^(a+)+$"],
  ["OWASP", "^([a-zA-Z]+)*$"],
  ["OWASP", "^(a|aa)+$"],
  ["OWASP", "^(a|a?)+$"],
  ["OWASP", "^(.*a){11}$"],
  ["OWASP, validation of Java class names", "^(([a-z])+.)+[A-Z]([a-z])+$"],
  [
    "OWASP, validation of email addresses",
    "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
  ],
  ["outage of Stack Overflow, July 2016", "^[\\s\\u200c]+|[\\s\\u200c]+$"],
  ["outage of Cloudflare, July 2019", "(?:.*.*=.*)$"],
  ["CVE-2015-8315, ms", "^((?:\\d+)?\\.?\\d+) *(milliseconds?|msecs?|ms|seconds?)?$"],
  ["CVE-2015-8854, marked", "^\\b_((?:__|[\\s\\S])+?)_\\b"],
  ["CVE-2016-4055, moment", "D[oD]?(\\[[^\\[\\]]*\\]|\\s+)+MMMM?"],
  ["CVE-2016-10539, negotiator", "^\\s*(\\S+?)(?:-(\\S+?))?\\s*(?:;(.*))?$"],
  ["CVE-2017-15010, tough-cookie", "^(([^=;]+))\\s*=\\s*([^\\n\\r\\0]*)"],
  ["CVE-2017-16118, forwarded", " *, *"],
  ["CVE-2017-16137, debug", "\\s*\\n\\s*"],
  ["CVE-2017-16138, mime", ".*[\\.\\/\\\\]"],
  ["CVE-2017-18214, moment", "[0-9]*['a-z\\u00A0-\\u05FF]+|[\\u0600-\\u06FF]+(\\s*?[\\u0600-\\u06FF]+){1,2}"],
  ["CVE-2020-7753, trim", "^\\s+|\\s+$"],
  ["CVE-2020-28469, glob-parent", "(^|[^\\\\])([\\{\\[]|\\([^\\)]+$)"],
  ["CVE-2021-3765, validator", "[\\s]+$"],
  ["CVE-2021-23343, path-parse", "^([\\s\\S]*?)((?:\\.{1,2}|[^\\\\/]+?|)(\\.[^.\\/\\\\]*|))(?:[\\\\/]*)$"],
  ["CVE-2021-29060, color-string", "hwb\\(\\s*([+-]?\\d*[\\.]?\\d+)(?:deg)?\\s*,"],
  ["CVE-2021-27290, ssri", "^([^-]+)-([^?]+)([?\\S*]*)$"],
  ["CVE-2022-3517, minimatch", "\\{.*\\}"],
  ["CVE-2022-25883, semver", "(\\s*)([^|]*)\\s*$"],
  ["CVE-2020-8244, spread over a list", "^(?:\\s*[\\w.]+\\s*,?)*$"],
  ["regexlib.com, email addresses", "^(\\w+([-+.']\\w+)*)+@\\w+([-.]\\w+)*\\.\\w+$"],
  ["Stack Overflow, email addresses", "^\\S+@\\S+\\.\\S+$"],
  ["Stack Overflow, names", "^([a-zA-Z]+[ '-]?)*$"],
  ["Stack Overflow, decimal numbers", "^\\d+,?\\d*\\.?\\d*$"],
  ["Stack Overflow, URLs", "^(https?:\\/\\/)?([\\da-z.-]+)\\.([a-z.]{2,6})([\\/\\w .-]*)*\\/?$"],
  ["snyk.io, ReDoS", "A(B|C+)+D"],
  ["snyk.io, a list of words", "^(\\w+\\s?)*$"],
  ["a back reference to a repetition", "^(\\w+)\\1$"],
];

/** Patterns that contracts have for common values. */
const LINEAR: readonly string[] = [
  "^[a-z]+$",
  "^.{1,255}$",
  "^\\S+$",
  "^(?:a|b)+$",
  "^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
  "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$",
  "^[a-z0-9]+(?:-[a-z0-9]+)*$",
  "^#(?:[0-9a-fA-F]{3}){1,2}$",
  "^\\+[1-9]\\d{1,14}$",
  "^[A-Z]{2}$",
  "^[A-Z]{3}$",
  "^[a-z]{2}(?:-[A-Z]{2})?$",
  "^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$",
  "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
  "^[\\w-]+\\.[\\w-]+\\.[\\w-]+$",
  "^-?\\d+(?:\\.\\d{1,2})?$",
  "^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)$",
  "^(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?$",
  "^https?://[^\\s/?#]+(?:/[^\\s?#]*)?$",
  "^[A-Za-z0-9_]{3,16}$",
  "^[^@\\s]+@[^@\\s]+$",
  "^[\\w.+-]{1,64}@[a-z0-9-]+(?:\\.[a-z0-9-]+)+$",
  "^\\d{5}(?:-\\d{4})?$",
  "^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$",
  "^(?:4\\d{12}(?:\\d{3})?|5[1-5]\\d{14})$",
  "^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$",
  "^arn:aws:[a-z0-9-]+:[a-z0-9-]*:\\d{12}:.+$",
  "^(?!\\s*$)[^\\p{C}]{1,100}$",
  "^(?=.*[a-z])(?=.*[A-Z]).{8,}$",
  "^(?:GET|POST|PUT|DELETE)$",
  "^\\p{L}+(?:[ '-]\\p{L}+)*$",
  "^x-",
  "^[^\\x00-\\x1f]*$",
  "^sha256:[0-9a-f]{64}$",
  "^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$",
  '^"[ !#-\\[\\]-~]{1,255}"$',
];

/** Patterns that take quadratic time, and that recheck calls safe. */
const UNPROVED: readonly (readonly [string, RegExp])[] = [
  ["(\\w+)\\1", /back reference/],
  ["[(](?<word>[^)]+)\\k<word>", /back reference/],
  ["^(?:\\()?((?:a|b){2,})\\1", /back reference/],
  ["(?=(\\w+))\\1!?", /back reference/],
  ["^(?:(?=.*z)a)*$", /lookaround/],
  ["^(?:\\w(?<=^\\w+))*$", /lookaround/],
];

/** Back references and lookarounds that take linear time. */
const PROVED: readonly string[] = [
  "^(?<quote>[\"'])[^\"']*\\k<quote>$",
  "^\\d{4}([-/])\\d\\d\\1\\d\\d$",
  "^(a)+\\1$",
  "^((?!-)[a-z0-9-]{1,63}\\.)+$",
  "^[(+*](a)[\\](+]\\1$",
];

/** Linear, but the time doubles with each optional part. */
const OPTIONAL: readonly string[] = [
  `^${"a?".repeat(40)}a{40}$`,
  `^${"\\d?".repeat(30)}\\d{30}x$`,
  `^${"[a-z]{0,3}".repeat(20)}[a-z]{60}$`,
];

/** Optional parts that exclude each other. */
const OPTIONAL_ONCE: readonly string[] = [
  "^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$",
  "^P(?:\\d{1,4}Y)?(?:\\d{1,4}M)?(?:\\d{1,4}D)?(?:T(?:\\d{1,4}H)?(?:\\d{1,4}M)?(?:\\d{1,4}S)?)?$",
  `^${"abcdefghijklmnopqrst".replace(/./g, "$&?")}$`,
];

/** Not ECMAScript's syntax. */
const UNKNOWN = "^(?>a+)+$";

/** Results by pattern, from a process of their own: the analysis is ten times slower among Jest's globals. */
const reasons = JSON.parse(
  execFileSync(
    process.execPath,
    [
      ...["--conditions=tenon-source", "--import", "tsx", "--input-type=module", "--eval"],
      `import { findBacktracking } from "./src/cli/patterns/find-backtracking.ts";
       const patterns = JSON.parse(process.argv[1]);
       console.log(JSON.stringify(Object.fromEntries(patterns.map((one) => [one, findBacktracking(one, "u") ?? null]))));`,
      JSON.stringify([
        ...BACKTRACKING.map(([, pattern]) => pattern),
        ...UNPROVED.map(([pattern]) => pattern),
        ...LINEAR,
        ...PROVED,
        ...OPTIONAL,
        ...OPTIONAL_ONCE,
        UNKNOWN,
      ]),
    ],
    { encoding: "utf8" },
  ),
) as Readonly<Record<string, string | null>>;

test.each(BACKTRACKING)("a pattern that backtracks is found: %s: %s", (_, pattern) => {
  expect(reasons[pattern]).toMatch(/^takes (?:exponential|polynomial) time, for example for /);
});

test.each(UNPROVED)("a pattern of which nothing is proved is refused: %s", (pattern, reason) => {
  expect(reasons[pattern]).toMatch(reason);
});

test.each(OPTIONAL)("a pattern with optional parts that overlap is refused: %s", (pattern) => {
  expect(reasons[pattern]).toMatch(/^takes exponential time|^cannot be analyzed/);
});

test.each([...LINEAR, ...PROVED, ...OPTIONAL_ONCE])(
  "a pattern that takes linear time passes: %s",
  (pattern) => {
    expect(reasons[pattern]).toBeNull();
  },
);

test("a pattern that cannot be analyzed is refused", () => {
  expect(reasons[UNKNOWN]).toMatch(/^cannot be analyzed \(/);
});

test("patterns of exponential or cubic time are known, and those of quadratic time are not among them", () => {
  const optional = `^${"a?".repeat(30)}${"a".repeat(30)}$`;
  expect([BAD, "^(a|a)*$", optional, "^a*a*a*b"].map(isCostly)).toEqual([true, true, true, true]);
  expect([GOOD, "^\\s+|\\s+$", "^(?=.*a)b{2,40}$"].map(isCostly)).toEqual([false, false, false]);
});

test("texts of a contract are not matched against such a pattern, which would take hours", async () => {
  const text = `${"a".repeat(50)}!`;
  const toContract = (pattern: string) => `openapi: 3.1.0
info: { title: Texts, version: 1.0.0 }
paths:
  /texts:
    get:
      operationId: listTexts
      responses:
        "200":
          description: OK
          content:
            application/json:
              schema:
                type: object
                properties:
                  a: { type: string, pattern: '${pattern}', default: ${text} }
                  b: { type: string, pattern: '${pattern}', example: ${text} }
                  c: { allOf: [{ pattern: '${pattern}' }, { enum: [${text}, other] }] }
`;
  const folder = createProject({ "openapi.yaml": toContract(BAD), "old.yaml": toContract("^(a+)+b?$") });
  expect(await runIn(folder, "lint")).toMatchObject({ exitCode: 0 });
  const { stdout } = await runIn(folder, "diff", "old.yaml", "openapi.yaml", "--no-impact");
  expect(stdout).toContain("response-pattern-changed");
});
