import ts from "#typescript";

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
