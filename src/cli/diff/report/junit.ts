import { escapeXml } from "../../output/markup.js";
import type { DiffReport } from "../diff-contracts.js";
import { fails, type Level } from "../change.js";
import { groupChanges, showOperations } from "../group-changes.js";
import { toNotes } from "./impact.js";
import { showKinds, showPolicy, showVersion } from "./summary.js";

/** The options that decide which test cases fail. */
export interface JunitOptions {
  readonly failOn: Level | "none";
  readonly checkVersion: boolean;
}

type Outcome = "passed" | "failure" | "skipped";

interface TestCase {
  /** GitLab and Jenkins group cases by it. */
  readonly classname: string;
  /** Lists of failed cases show only this. */
  readonly name: string;
  readonly outcome: Outcome;
  /** GitLab shows this text, other hosts the attribute `message`; both are written. */
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
}

/**
 * Formats a report as JUnit XML, with one test case for each change and one for `info.version`, because Jenkins reports a file
 * without test cases as an error. Changes that fail the command are failures, ignored changes and parts that are not compared are skipped, all others
 * pass.
 * @see https://docs.gitlab.com/ci/testing/unit_test_reports/
 */
export function toJunit(report: DiffReport, options: JunitOptions): string {
  const cases = makeUnique([
    ...toChangeCases(report, options),
    ...toUncomparedCases(report),
    toVersionCase(report, options),
  ]);
  const count = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length;
  const counts = `tests="${cases.length}" failures="${count("failure")}" errors="0" skipped="${count("skipped")}"`;
  const suite = toAttribute(`${report.base} → ${report.revision}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="tenon diff" ${counts}>`,
    `  <testsuite name="${suite}" ${counts}>`,
    `    <properties><property name="policy" value="${report.policy}"/></properties>`,
    ...cases.map(toElement),
    `    <system-out>${escapeXml([showPolicy(report), showKinds(report)].join("\n"))}</system-out>`,
    "  </testsuite>",
    "</testsuites>\n",
  ].join("\n");
}

function toChangeCases({ changes }: DiffReport, { failOn }: JunitOptions): readonly TestCase[] {
  return groupChanges(changes).map((found) => {
    const { change, operations } = found;
    const { code, level, file, line, message, why, ignored } = change;
    const outcome = ignored !== undefined ? "skipped" : fails(level, failOn) ? "failure" : "passed";
    const reason = ignored === undefined ? why : `Ignored: ${ignored}`;
    return {
      classname: showOperations(operations),
      name: `${code}: ${message}`,
      outcome,
      text: [`${level}: ${message}`, reason, `${file}:${line}`, ...toNotes(found)].join("\n"),
      file,
      line,
    };
  });
}

function toUncomparedCases({ notCompared }: DiffReport): readonly TestCase[] {
  return notCompared.map(({ message, file, line }) => {
    const text = `${message}\n${file}:${line}`;
    return {
      classname: "the contract",
      name: `not-compared: ${message}`,
      outcome: "skipped",
      text,
      file,
      line,
    };
  });
}

function toVersionCase(report: DiffReport, { checkVersion }: JunitOptions): TestCase {
  const outcome = report.version.enough ? "passed" : checkVersion ? "failure" : "skipped";
  const text = showVersion(report) ?? "No change requires a new version.";
  return { classname: "the contract", name: "info.version is high enough", outcome, text };
}

/** GitLab drops the second of two cases with one name. */
function makeUnique(cases: readonly TestCase[]): readonly TestCase[] {
  const seen = new Map<string, number>();
  return cases.map((one) => {
    const key = JSON.stringify([one.classname, one.name]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}

function toElement({ classname, name, outcome, text, file, line }: TestCase): string {
  const place = file === undefined ? "" : ` file="${toAttribute(file)}" line="${line ?? 1}"`;
  const start = `    <testcase classname="${toAttribute(classname)}" name="${toAttribute(name)}"${place} time="0">`;
  const [message = ""] = text.split("\n");
  const body =
    outcome === "passed"
      ? `<system-out>${escapeXml(text)}</system-out>`
      : `<${outcome} message="${toAttribute(message)}">${escapeXml(text)}</${outcome}>`;
  return `${start}${body}</testcase>`;
}

/** XML parsers turn line breaks in attributes into spaces anyway (XML 1.0, section 3.3.3). */
function toAttribute(text: string): string {
  return escapeXml(text.replace(/\s+/g, " "));
}
