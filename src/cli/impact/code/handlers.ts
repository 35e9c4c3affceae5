import ts from "#typescript";
import { isWithin } from "../memory-files.js";

/** Finds the names of handlers in all objects and classes of a file. */
export function findMembers(source: ts.SourceFile): ReadonlySet<string> {
  const members = new Set<string>();
  const visit = (node: ts.Node, inHandler: boolean): void => {
    if (ts.isObjectLiteralExpression(node) || ts.isClassLike(node)) {
      const parts: readonly (ts.ObjectLiteralElementLike | ts.ClassElement)[] = ts.isClassLike(node)
        ? node.members
        : node.properties;
      for (const part of parts) {
        // A handler's body contains objects too: `{ health: check() }` is not a handler "health".
        if (!inHandler || isFunction(part)) for (const name of handlerName(part)) members.add(name);
        visit(part, inHandler || isFunction(part));
      }
      return;
    }
    ts.forEachChild(node, (child) => {
      visit(child, inHandler);
    });
  };
  visit(source, false);
  return members;
}

function isFunction(part: ts.Node): boolean {
  if (ts.isMethodDeclaration(part)) return true;
  if (!ts.isPropertyAssignment(part) && !ts.isPropertyDeclaration(part)) return false;
  const value = part.initializer && withoutTypes(part.initializer);
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}

/** The name of a member that is a function or may be one; empty for a literal. */
export function handlerName(part: ts.ObjectLiteralElementLike | ts.ClassElement): readonly string[] {
  const { name } = part;
  if (name === undefined || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) return [];
  const value = ts.isPropertyAssignment(part) ? withoutTypes(part.initializer) : undefined;
  const isValue =
    value !== undefined &&
    (ts.isLiteralExpression(value) ||
      ts.isObjectLiteralExpression(value) ||
      ts.isArrayLiteralExpression(value));
  return isValue ? [] : [name.text];
}

/** An expression without `satisfies`, `as` and parentheses around it. */
export function withoutTypes(expression: ts.Expression): ts.Expression {
  return ts.isSatisfiesExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isParenthesizedExpression(expression)
    ? withoutTypes(expression.expression)
    : expression;
}

/** Limits the search above an error's node for the incomplete object: the compiler reports the name in its declaration. */
const MOST_STEPS = 4;

/**
 * Finds the names of required handlers that an erroneous object does not have.
 * @param node The node that the compiler reports.
 * @param output Absolute path of the folder of generated files.
 */
export function findMissingHandlers(
  node: ts.Node,
  checker: ts.TypeChecker,
  output: string,
): readonly string[] {
  let at = node;
  for (let step = 0; step < MOST_STEPS && !ts.isSourceFile(at); step++) {
    const missing = findTypes(at, checker).flatMap(({ given, expected }) =>
      expected
        .getProperties()
        .filter((property) => isHandler(property, output) && given.getProperty(property.name) === undefined),
    );
    if (missing.length > 0) return missing.map(({ name }) => name);
    at = at.parent;
  }
  return [];
}

interface Types {
  readonly given: ts.Type;
  readonly expected: ts.Type;
}

/** The type of an object or a class, with those that it must have. */
export function findTypes(node: ts.Node, checker: ts.TypeChecker): readonly Types[] {
  if (ts.isClassLike(node)) {
    const given = checker.getTypeAtLocation(node);
    return (node.heritageClauses ?? []).flatMap(({ types }) =>
      types.map((type) => ({ given, expected: checker.getTypeAtLocation(type) })),
    );
  }
  // `{ handlers }`: the expected type is that of a property of the object's expected type.
  if (ts.isShorthandPropertyAssignment(node)) {
    const property = checker.getContextualType(node.parent)?.getProperty(node.name.text);
    if (property === undefined) return [];
    const expected = checker.getTypeOfSymbolAtLocation(property, node);
    return [{ given: checker.getTypeAtLocation(node.name), expected }];
  }
  const value = toValue(node);
  const expected = value && checker.getContextualType(value);
  return expected === undefined ? [] : [{ given: checker.getTypeAtLocation(value ?? node), expected }];
}

function toValue(node: ts.Node): ts.Expression | undefined {
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node))
    return node.initializer;
  return ts.isExpression(node) ? node : undefined;
}

function isHandler({ flags, declarations }: ts.Symbol, output: string): boolean {
  if (flags & ts.SymbolFlags.Optional) return false;
  return (
    declarations?.some(
      ({ parent }) =>
        ts.isInterfaceDeclaration(parent) &&
        parent.name.text === "Handlers" &&
        isWithin(parent.getSourceFile().fileName, output),
    ) === true
  );
}
