import ts from "#typescript";
import { isWithin } from "../memory-files.js";
import { findTypes } from "./handlers.js";
import type { OperationNames } from "../operation-pairs.js";

/** The operation that a piece of code belongs to. */
export interface Belonging {
  /** Label of the operation. */
  readonly operations: readonly [string];
  readonly role: "handler" | "call";
}

export interface Surroundings {
  /** Checkers of the programs with either contract, because an operation may be in one only. */
  readonly checkers: readonly ts.TypeChecker[];
  readonly names: OperationNames;
  /** Absolute path of the folder of generated files. */
  readonly output: string;
}

/** Finds the operation whose handler or call contains a node, or whose result it reads. */
export function findOperation(node: ts.Node, surroundings: Surroundings): Belonging | undefined {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    const handled = findHandled(at, surroundings);
    if (handled !== undefined) return { operations: [handled], role: "handler" };
    const called = findCalled(at, surroundings);
    if (called !== undefined) return { operations: [called], role: "call" };
  }
  return undefined;
}

/** The operation that a member of an object or class, or a function, handles. */
function findHandled(node: ts.Node, { checkers, names, output }: Surroundings): string | undefined {
  const isGenerated = (found: ts.Node) => isWithin(found.getSourceFile().fileName, output);
  for (const checker of checkers) {
    const member = findDeclaration(node, checker);
    const label = member && isGenerated(member) ? names.byId.get(toMemberName(member) ?? "") : undefined;
    if (label !== undefined) return label;
    const [ofType] = findParameterTypes(node, checker)
      .filter(isGenerated)
      .flatMap(({ name }) => names.byType.get(name.text.replace(/_+$/, "")) ?? []);
    if (ofType !== undefined) return ofType;
  }
  return undefined;
}

/** The declaration of a handler's expected type: `readonly getPet: (…) => …` of the generated `Handlers`. */
function findDeclaration(node: ts.Node, checker: ts.TypeChecker): ts.Node | undefined {
  if (ts.isObjectLiteralElementLike(node) || ts.isClassElement(node)) {
    const name = toMemberName(node);
    if (name === undefined) return undefined;
    return findTypes(node.parent, checker)
      .map(({ expected }) => expected.getProperty(name)?.declarations?.[0])
      .find((found) => found !== undefined);
  }
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return undefined;
  // `const getPet: Handlers<…>["getPet"] = async (…) => …`
  const [signature] = checker.getContextualType(node)?.getCallSignatures() ?? [];
  return (signature?.declaration as ts.Node | undefined)?.parent;
}

/** The declarations of a function's parameter types, such as `GetPetRequest` or `GetPetReplies`. */
function findParameterTypes(node: ts.Node, checker: ts.TypeChecker): readonly ts.InterfaceDeclaration[] {
  if (!ts.isFunctionLike(node)) return [];
  return node.parameters
    .flatMap(({ type }) =>
      type === undefined ? [] : (checker.getTypeAtLocation(type).getSymbol()?.declarations ?? []),
    )
    .filter(ts.isInterfaceDeclaration);
}

/** The operation that an expression calls, `client.GET("/pets")`, or whose result it reads from a variable. */
function findCalled(node: ts.Node, { checkers, names }: Surroundings): string | undefined {
  if (ts.isCallExpression(node)) return toCalled(node, names);
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const variableName = toRoot(node);
  if (!ts.isIdentifier(variableName)) return undefined;
  const declaration = checkers[0]?.getSymbolAtLocation(variableName)?.valueDeclaration;
  const variable = declaration && ts.findAncestor(declaration, ts.isVariableDeclaration);
  const value = variable?.initializer && withoutAwait(variable.initializer);
  return value !== undefined && ts.isCallExpression(value) ? toCalled(value, names) : undefined;
}

function toCalled(
  { expression, arguments: [path] }: ts.CallExpression,
  { byCall }: OperationNames,
): string | undefined {
  if (!ts.isPropertyAccessExpression(expression) || path === undefined || !ts.isStringLiteralLike(path))
    return undefined;
  return byCall.get(`${expression.name.text} ${path.text}`);
}

/** `result` of `result.data.name`. */
function toRoot(node: ts.Expression): ts.Expression {
  return ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isNonNullExpression(node)
    ? toRoot(node.expression)
    : node;
}

function withoutAwait(node: ts.Expression): ts.Expression {
  return ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)
    ? withoutAwait(node.expression)
    : node;
}

function toMemberName(node: ts.Node): string | undefined {
  const name = (node as Partial<ts.NamedDeclaration>).name;
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;
}
