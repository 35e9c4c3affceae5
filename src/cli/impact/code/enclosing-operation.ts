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

/** The operation that an expression calls, or whose result it reads from a variable. */
function findCalled(node: ts.Node, surroundings: Surroundings): string | undefined {
  if (ts.isCallExpression(node)) return toCalled(node, surroundings);
  // The compiler reports `const id: number = pet.id` at the name.
  if (ts.isVariableDeclaration(node)) return node.initializer && findCalled(node.initializer, surroundings);
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const variableName = toRoot(node);
  if (!ts.isIdentifier(variableName)) return undefined;
  const declaration = surroundings.checkers[0]?.getSymbolAtLocation(variableName)?.valueDeclaration;
  const variable = declaration && ts.findAncestor(declaration, ts.isVariableDeclaration);
  const loop = variable?.parent.parent;
  const value = loop && ts.isForOfStatement(loop) ? loop.expression : variable?.initializer;
  const call = value && withoutAwait(value);
  return call !== undefined && ts.isCallExpression(call) ? toCalled(call, surroundings) : undefined;
}

/** The operation of `client.GET("/pets")`, `client.listPets()`, `listPets(client)` or `client.listPets.items()`. */
function toCalled(
  { expression, arguments: [path] }: ts.CallExpression,
  surroundings: Surroundings,
): string | undefined {
  const byPath =
    ts.isPropertyAccessExpression(expression) && path !== undefined && ts.isStringLiteralLike(path)
      ? surroundings.names.byCall.get(`${expression.name.text} ${path.text}`)
      : undefined;
  return byPath ?? toNamed(expression, surroundings);
}

/** The operation whose generated call an expression names or is a member of: `client.listPets().orThrow`. */
function toNamed(node: ts.Expression, surroundings: Surroundings): string | undefined {
  if (ts.isCallExpression(node)) return toNamed(node.expression, surroundings);
  if (ts.isIdentifier(node)) return toDefined(node, surroundings);
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  return toDefined(node.name, surroundings) ?? toNamed(node.expression, surroundings);
}

/** The operation of `listPets`, if this is `const listPets = defineCall({ method: "get", path: "/pets", … })` in a generated file. */
function toDefined(name: ts.MemberName, { checkers, names, output }: Surroundings): string | undefined {
  for (const checker of checkers) {
    const symbol = checker.getSymbolAtLocation(name);
    const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const [declaration] = (isAlias ? checker.getAliasedSymbol(symbol) : symbol)?.declarations ?? [];
    if (declaration === undefined || !isWithin(declaration.getSourceFile().fileName, output)) continue;
    const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    const described = value && ts.isCallExpression(value) ? value.arguments[0] : undefined;
    if (described === undefined || !ts.isObjectLiteralExpression(described)) continue;
    const { method, path } = toTexts(described);
    const label = names.byCall.get(`${method?.toUpperCase()} ${path}`);
    if (label !== undefined) return label;
  }
  return undefined;
}

/** The members of an object literal that are texts. */
function toTexts({ properties }: ts.ObjectLiteralExpression): Readonly<Partial<Record<string, string>>> {
  return Object.fromEntries(
    properties.flatMap((property): [string, string][] => {
      const name = toMemberName(property);
      const value = ts.isPropertyAssignment(property) ? property.initializer : undefined;
      return name !== undefined && value && ts.isStringLiteral(value) ? [[name, value.text]] : [];
    }),
  );
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
