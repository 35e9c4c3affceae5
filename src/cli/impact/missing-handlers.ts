import ts from "#typescript";
import { isWithin } from "./memory-files.js";

/** How far above the place of an error the object may begin that lacks something: a name is in its declaration. */
const MOST_STEPS = 4;

/**
 * Names of handlers that the object which an error is about has to have, and has not.
 * @param node What the compiler points at.
 * @param output Absolute path of the folder of generated files.
 */
export function findMissingHandlers(
  node: ts.Node,
  checker: ts.TypeChecker,
  output: string,
): readonly string[] {
  let at = node;
  for (let step = 0; step < MOST_STEPS && !ts.isSourceFile(at); step++) {
    const missing = findTypes(at, checker).flatMap(({ given, wanted }) =>
      wanted
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
  readonly wanted: ts.Type;
}

/** The type that an object or a class has, and those that it has to have. */
function findTypes(node: ts.Node, checker: ts.TypeChecker): readonly Types[] {
  if (ts.isClassLike(node)) {
    const given = checker.getTypeAtLocation(node);
    return (node.heritageClauses ?? []).flatMap(({ types }) =>
      types.map((type) => ({ given, wanted: checker.getTypeAtLocation(type) })),
    );
  }
  // `{ handlers }`: what is wanted of it is a property of what is wanted of the object.
  if (ts.isShorthandPropertyAssignment(node)) {
    const property = checker.getContextualType(node.parent)?.getProperty(node.name.text);
    if (property === undefined) return [];
    const wanted = checker.getTypeOfSymbolAtLocation(property, node);
    return [{ given: checker.getTypeAtLocation(node.name), wanted }];
  }
  const value = toValue(node);
  const wanted = value && checker.getContextualType(value);
  return wanted === undefined ? [] : [{ given: checker.getTypeAtLocation(value ?? node), wanted }];
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
