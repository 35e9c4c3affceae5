import ts from "#typescript";
import { isWithin } from "../memory-files.js";

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
function findTypes(node: ts.Node, checker: ts.TypeChecker): readonly Types[] {
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
