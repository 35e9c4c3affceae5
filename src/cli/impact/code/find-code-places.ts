import ts from "#typescript";
import type { CodePlace, CompilerCheck } from "../impact.js";
import { count } from "../../output/count.js";
import { toMessage } from "../compiler.js";
import { type OperationPair, toOperationNames } from "../operation-pairs.js";
import { CannotAsk, type CodeProject, findChangedFiles, type GeneratedSides } from "../sides.js";
import { findOperation, type Surroundings } from "./enclosing-operation.js";
import { findMembers, findMissingHandlers } from "./handlers.js";
import { createPrograms, findErrors, listOwnFiles, type Programs } from "./programs.js";
import { showPath } from "../../output/show-path.js";

export interface CodeFindings {
  readonly check: CompilerCheck;
  readonly places: readonly FoundPlace[];
  /** Labels of operations that newly need a handler and have none. */
  readonly missing: ReadonlySet<string>;
}

/** A place, and the operations that it belongs to; empty where they are unknown. */
export interface FoundPlace extends CodePlace {
  readonly operations: readonly string[];
}

/** Finds the project's own code that compiles with the base's types and not with the revision's. */
export function findCodePlaces(
  project: CodeProject,
  sides: GeneratedSides,
  pairs: readonly OperationPair[],
): CodeFindings {
  const changed = findChangedFiles(sides);
  if (changed.length === 0) return { check: { asked: true }, places: [], missing: new Set() };
  try {
    const programs = createPrograms(project, sides);
    const { fresh, own, concerned } = findErrors(programs, { output: project.output, changed });
    const surroundings: Surroundings = {
      checkers:
        fresh.length === 0 ? [] : [programs.revision, programs.base()].map((one) => one.getTypeChecker()),
      names: toOperationNames(pairs),
      output: project.output,
    };
    const places = withoutConsequences(fresh.map((error) => toPlace(error, surroundings, project.cwd)));
    const [first] = own;
    const note = !concerned
      ? "nothing in the program uses the changed generated files"
      : first &&
        `the program has ${count(own.length, "error")} of its own, which may hide more: ${show(first, project.cwd)}`;
    return { check: { asked: true, note }, places, missing: findUnhandled(programs, pairs, project.output) };
  } catch (error) {
    if (!(error instanceof CannotAsk)) throw error;
    return { check: { asked: false, note: error.message }, places: [], missing: new Set() };
  }
}

/** Codes for parameters without a type, which follow from a handler that no longer has one. */
const UNTYPED_PARAMETER = ["TS7006", "TS7031"];

/** Removes the errors that disappear with another error of the same operation. */
function withoutConsequences(places: readonly FoundPlace[]): readonly FoundPlace[] {
  const isConsequence = ({ code }: FoundPlace) => UNTYPED_PARAMETER.includes(code);
  const causes = new Set(
    places.filter((place) => !isConsequence(place)).flatMap(({ operations }) => operations),
  );
  return places.filter(
    (place) => !isConsequence(place) || !place.operations.some((operation) => causes.has(operation)),
  );
}

function toPlace(error: ts.DiagnosticWithLocation, surroundings: Surroundings, cwd: string): FoundPlace {
  const { file, start, code } = error;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  const { operations, role } = toBelonging(error, surroundings);
  return {
    file: showPath(file.fileName, cwd),
    line: line + 1,
    column: character + 1,
    code: `TS${code}`,
    message: toMessage(error),
    role,
    operations,
  };
}

function toBelonging(
  { file, start }: ts.DiagnosticWithLocation,
  surroundings: Surroundings,
): Pick<FoundPlace, "operations" | "role"> {
  const { checkers, names, output } = surroundings;
  const node = findNode(file, start);
  const found = findOperation(node, surroundings);
  if (found !== undefined) return found;
  const [checker] = checkers;
  const missing = checker === undefined ? [] : findMissingHandlers(node, checker, output);
  const operations = missing.flatMap((id) => names.byId.get(id) ?? []);
  return { operations, role: operations.length > 0 ? "handler" : "other" };
}

/** New operations, and former stubs, for which no file has a handler of their name. */
function findUnhandled(
  { revision: program }: Programs,
  pairs: readonly OperationPair[],
  output: string,
): ReadonlySet<string> {
  const wanted = pairs.flatMap(({ label, base, revision }) => {
    if (revision === undefined || revision.stub) return [];
    return base === undefined || base.stub || base.id !== revision.id ? [{ label, id: revision.id }] : [];
  });
  if (wanted.length === 0) return new Set();
  const written = new Set(listOwnFiles(program, output).flatMap((file) => [...findMembers(file)]));
  return new Set(wanted.filter(({ id }) => !written.has(id)).map(({ label }) => label));
}

function show(error: ts.DiagnosticWithLocation, cwd: string): string {
  const { file, start } = error;
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${showPath(file.fileName, cwd)}:${line + 1}  ${toMessage(error)}`;
}

/** The innermost node at a position. */
function findNode(file: ts.SourceFile, position: number): ts.Node {
  let found: ts.Node = file;
  const visit = (node: ts.Node): void => {
    if (position < node.getStart(file) || position >= node.end) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found;
}
