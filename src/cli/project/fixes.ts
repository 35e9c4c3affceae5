import { readFileSync, realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isAbsoluteUrl } from "@redocly/openapi-core";
import { ContractError, joinPointer, parsePointer, type Problem, type ProblemFix } from "tenon/core/document";
import { toIdentifier } from "tenon/core/model";
import { isMap, isScalar, isSeq, parseDocument, type Scalar, stringify } from "yaml";
import { groupBy } from "../generate/group-by.js";
import type { ApiConfig } from "./config.js";
import { loadServed, toModel } from "./load-model.js";
import { applyEdits, type EditedFile, type TextEdit } from "./text-edits.js";

/** A fix of a problem, and its line in the changed file, from 1. */
export interface Fixed {
  readonly problem: Problem;
  readonly fix: ProblemFix;
  readonly line: number;
  /** Number of lines that it adds. */
  readonly added: number;
}

export interface FixPlan {
  readonly edited: readonly EditedFile[];
  readonly fixed: readonly Fixed[];
}

/** A fix, and the edit of the file's text. */
interface Placed extends Pick<Fixed, "problem" | "fix"> {
  readonly edit: TextEdit;
}

/**
 * Plans the fixes of problems, as edits of the files as they are written: comments and layout stay. A fix is left out if the file is
 * outside the project, if its place is an alias or a block of text, or if problems suggest different fixes of one place.
 * @param apis The APIs with the problems.
 * @param cwd The project's folder.
 */
export async function planFixes(
  problems: readonly Problem[],
  apis: readonly ApiConfig[],
  cwd: string,
): Promise<FixPlan> {
  const missing = problems.some(isWithoutId) ? await nameOperations(apis) : new Map<string, ProblemFix>();
  const wanted = problems.flatMap((problem) => {
    const fix = problem.fix ?? (isWithoutId(problem) ? missing.get(toPlace(problem)) : undefined);
    return fix === undefined ? [] : [{ problem, fix }];
  });
  const plans = [...groupBy(wanted, ({ problem }) => problem.file)]
    .filter(([file]) => isWithin(file, cwd))
    .flatMap(([file, fixes]) => planFile(file, fixes) ?? []);
  return {
    edited: plans.map(({ edited }) => edited),
    fixed: plans.flatMap(({ fixed }) => fixed),
  };
}

function planFile(file: string, wanted: readonly Pick<Fixed, "problem" | "fix">[]) {
  const before = readFileSync(file, "utf8");
  const found = wanted.flatMap((one) => {
    const edit = toEdit(file, before, one.fix);
    return edit === undefined ? [] : [{ ...one, edit }];
  });
  const placed = [...groupBy(found, ({ edit }) => edit.start).values()]
    .flatMap((fixes) => {
      // A member before a key that changes is added in the next run.
      const first = fixes.find(({ fix }) => fix.change !== "member") ?? fixes[0];
      const others = fixes.filter(({ fix }) => fix.change === first?.fix.change);
      return first !== undefined && others.every(({ edit }) => edit.text === first.edit.text) ? [first] : [];
    })
    .sort((a, b) => a.edit.start - b.edit.start);
  const edits = placed.map(({ edit }) => edit);
  const edited = applyEdits(edits, () => before).get(file);
  if (edited === undefined || !isExpected(edited, placed)) return undefined;
  let moved = 0;
  const fixed = placed.map(({ problem, fix, edit }): Fixed => {
    const line = edited.after.slice(0, edit.start + moved).split("\n").length;
    moved += edit.text.length - (edit.end - edit.start);
    return { problem, fix, line, added: edit.text.split("\n").length - 1 };
  });
  return { edited, fixed };
}

/** Tests whether a file may be written: it is part of the project itself. */
function isWithin(file: string, cwd: string): boolean {
  if (isAbsoluteUrl(file)) return false;
  const path = relative(realpathSync(cwd), realpathSync(file));
  return !isAbsolute(path) && !path.split(sep).some((name) => name === ".." || name === "node_modules");
}

function toPlace({ file, pointer }: Pick<Problem, "file" | "pointer">): string {
  return `${pointer} ${file}`;
}

function isWithoutId({ code }: Problem): boolean {
  return code === "operation-operationId";
}

/** Names operations without an operationId as their generated code is named. A name with a number would be no obvious one. */
async function nameOperations(apis: readonly ApiConfig[]): Promise<ReadonlyMap<string, ProblemFix>> {
  const named = new Map<string, ProblemFix>();
  const different = new Set<string>();
  for (const api of apis) {
    const loaded = await loadServed(api, { lint: false }).catch(ignoreProblems);
    for (const { id, hasId, method, path, pointer } of loaded ? toModel(loaded).contract.operations : []) {
      const position = loaded?.locate(pointer);
      if (hasId || position === undefined || id !== toIdentifier(`${method} ${path}`)) continue;
      // The rule reports the missing member.
      const place = toPlace({ ...position, pointer: joinPointer(position.pointer, "operationId") });
      const text = named.get(place)?.text ?? id;
      if (text !== id) different.add(place);
      named.set(place, { pointer: position.pointer, change: "member", text: `operationId: ${id}` });
    }
  }
  // Two paths share a path item.
  for (const place of different) named.delete(place);
  return named;
}

/** For `catch`: the operations of a contract with other errors are named once these are fixed. */
function ignoreProblems(error: unknown): undefined {
  if (!(error instanceof ContractError)) throw error;
}

/** @returns undefined when the place is not written as a plain or quoted text. */
function toEdit(
  file: string,
  text: string,
  { pointer, change, text: wanted }: ProblemFix,
): TextEdit | undefined {
  const found = findPlace(text, pointer);
  if (found === undefined) return undefined;
  if (change !== "member") {
    const node = change === "key" ? found.key : found.value;
    if (!isScalar(node) || !node.range || !isInline(node)) return undefined;
    const [start, end] = node.range;
    return { file, start, end, text: quote(wanted, node) };
  }
  const first = isMap(found.value) ? found.value.items[0]?.key : undefined;
  if (!isScalar(first) || !first.range) return undefined;
  const [start] = first.range;
  const [name = "", value = ""] = wanted.split(": ");
  // An empty operationId.
  if (isMap(found.value) && found.value.has(name)) return undefined;
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const isFlow = isMap(found.value) && found.value.flow === true;
  const isAlone = before.trim() === "";
  // An explicit key: `? get`.
  if (!isFlow && !isAlone) return undefined;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const separator = (isFlow ? "," : "") + (isAlone ? end + before : " ");
  return { file, start, end: start, text: `${quote(name, first)}: ${quote(value, first)}${separator}` };
}

/** The key and the value at a pointer; undefined if the way leads through an alias. */
function findPlace(text: string, pointer: string) {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  let place: { readonly key?: unknown; readonly value: unknown } = { value: document.contents };
  for (const name of parsePointer(pointer)) {
    const { value } = place;
    const pair = isMap(value)
      ? value.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    const item = isSeq(value) ? value.items[Number(name)] : undefined;
    if (pair === undefined && item === undefined) return undefined;
    place = pair ?? { value: item };
  }
  return place;
}

function isInline({ type }: Scalar): boolean {
  return type === "PLAIN" || type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
}

/** Writes a text as another one is written. */
function quote(text: string, { type }: Scalar): string {
  if (type === "QUOTE_DOUBLE") return JSON.stringify(text);
  if (type === "QUOTE_SINGLE") return `'${text.replaceAll("'", "''")}'`;
  const written = stringify(text, { lineWidth: 0 }).trim();
  return written === text && /[,[\]{}]/.test(text) ? JSON.stringify(text) : written;
}

/** Tests whether the changed text is read as the document with the fixes. */
function isExpected({ before, after }: EditedFile, placed: readonly Placed[]): boolean {
  const [document, changed] = [before, after].map((text) => parseDocument(text));
  if (document === undefined || changed === undefined || changed.errors.length > 0) return false;
  const expected: unknown = document.toJS();
  const changes = placed.map(({ fix }) => {
    const keys = parsePointer(fix.pointer);
    const owners = fix.change === "member" ? keys : keys.slice(0, -1);
    let owner = expected;
    for (const key of owners) owner = (owner as Record<string, unknown>)[key];
    return { ...fix, owner: owner as Record<string, unknown>, key: keys.at(-1) ?? "" };
  });
  for (const { change, text, owner, key } of changes) {
    if (change === "value") owner[key] = text;
    if (change === "member") owner[text.split(": ")[0] ?? ""] = text.split(": ")[1];
  }
  for (const { change, text, owner, key } of changes) {
    if (change !== "key") continue;
    owner[text] = owner[key];
    Reflect.deleteProperty(owner, key);
  }
  return isDeepStrictEqual(changed.toJS(), expected);
}
