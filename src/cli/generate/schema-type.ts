import type { JsonType, NamedSchema, Property, Schema } from "tenon/core/legacy/model";
import { lifecycleLines } from "./lifecycle-comment.js";
import type { Names } from "./names.js";
import { type ObjectShape, toShape } from "./object-shape.js";
import { emitComment, emitKey, emitValue } from "./text.js";
import {
  arrayOf,
  printElements,
  atom,
  intersection,
  printDeclared,
  printType,
  type TypeText,
  union,
} from "./type-text.js";
import { isPresent, type View, type Views } from "./views.js";

/** What types are emitted with. */
export interface TypeContext {
  readonly schemas: ReadonlyMap<string, NamedSchema>;
  readonly names: Names;
  readonly views: Views;
  readonly view: View;
}

interface InnerContext extends TypeContext {
  /** Inside a member of `oneOf` or `anyOf`, where defaults are not applied. */
  readonly alternative: boolean;
  /** Names that the view leaves out of the enclosing object, so that a nested `required` must not ask for them. */
  readonly absent: ReadonlySet<string>;
  /** Of the line that the type starts in. */
  readonly indent: string;
}

/**
 * Emits a JSON Schema as a TypeScript type: `{ type: [string, "null"] }` becomes `string | null`, an object becomes
 * `{ name: string; … }` with one member a line. What types cannot say, such as `minLength`, is left to the validator.
 * @param indent Of the line that the type starts in.
 */
export function emitType(schema: Schema, context: TypeContext, indent = ""): string {
  return printType(toType(schema, { ...context, alternative: false, absent: new Set(), indent }));
}

/** Emits every component, in both views where they differ. */
export function emitDeclarations(
  components: readonly NamedSchema[],
  context: Omit<TypeContext, "view">,
): readonly string[] {
  return components.flatMap((named) => {
    const split = context.views.split.has(named.name);
    const views = split ? (["response", "request"] as const) : (["response"] as const);
    return views.map((view) => emitDeclaration(named, { ...context, view }));
  });
}

/**
 * Emits the declaration of a component: an interface where it is an object, otherwise a type alias.
 * `Pets: { type: array, items: { $ref: … } }` becomes `export type Pets = readonly Pet[];`.
 */
export function emitDeclaration({ name, schema }: NamedSchema, context: TypeContext): string {
  const inner = {
    ...context,
    alternative: context.views.alternatives.has(name),
    absent: new Set<string>(),
    indent: "",
  };
  const comment = emitComment([schema.description, ...lifecycleLines(schema.lifecycle)]);
  const typeName = context.names.schema(name, context.view);
  const shape = toShape(schema, context.schemas);
  if (shape === undefined)
    return `${comment}export type ${typeName} =${printDeclared(toType(schema, inner))};\n`;
  const bases = shape.bases.map((base) => context.names.schema(base, context.view));
  const extending = bases.length === 0 ? "" : ` extends ${bases.join(", ")}`;
  return `${comment}export interface ${typeName}${extending} ${emitMembers(shape, inner)}\n`;
}

function toType(schema: Schema, outer: InnerContext): TypeText {
  if (schema.never === true) return atom("never");
  const context = { ...outer, absent: new Set([...outer.absent, ...findAbsent(schema, outer)]) };
  const alternative = { ...context, alternative: true };
  const parts: TypeText[] = [];
  if (schema.reference !== undefined) parts.push(atom(context.names.schema(schema.reference, context.view)));
  for (const part of schema.allOf ?? []) parts.push(toType(part, context));
  const own = toOwnType(schema, context);
  if (own !== undefined) parts.push(own);
  if (schema.oneOf) parts.push(union(schema.oneOf.map((choice) => toType(choice, alternative))));
  if (schema.anyOf) parts.push(union(schema.anyOf.map((choice) => toType(choice, alternative))));
  const type = intersection(parts);
  return schema.nullable === true ? union([type, atom("null")]) : type;
}

/** What the schema's own keywords say; undefined when they say nothing that its other parts do not. */
function toOwnType(schema: Schema, context: InnerContext): TypeText | undefined {
  if (schema.enum) return union(schema.enum.map(toLiteral));
  const shape = schema.properties ?? schema.additionalProperties ?? schema.requiredElsewhere;
  const list = schema.items ?? schema.prefixItems;
  const { types } = schema;
  if (types === undefined) return undefined;
  const composed = schema.reference ?? schema.allOf ?? schema.oneOf ?? schema.anyOf;
  if (composed !== undefined && shape === undefined && list === undefined && types.includes("object"))
    return undefined;
  return union(types.map((type) => toTypeOf(type, schema, context)));
}

function toLiteral(value: unknown): TypeText {
  // An object or array as a value is compared by the validator; a literal type cannot say it.
  return atom(typeof value === "object" ? "unknown" : emitValue(value));
}

function toTypeOf(type: JsonType, schema: Schema, context: InnerContext): TypeText {
  switch (type) {
    case "integer":
    case "number":
      return atom("number");
    case "array":
      return toArrayType(schema, context);
    case "object": {
      const { properties = [], additionalProperties } = schema;
      return atom(
        emitMembers({ bases: [], properties, additionalProperties }, context, schema.requiredElsewhere),
      );
    }
    case "string":
    case "boolean":
    case "null":
      return atom(type);
  }
}

/** A tuple when all its places must be filled. */
function toArrayType(
  { items = {}, prefixItems = [], minItems = 0 }: Schema,
  context: InnerContext,
): TypeText {
  const rest = toType(items, context);
  const first = prefixItems.map((item) => toType(item, context));
  if (first.length === 0) return arrayOf(rest);
  if (minItems < first.length) return arrayOf(union([...first, rest]));
  const tuple = first.map(printType);
  if (items.never !== true) tuple.push(`...${printElements(rest)}`);
  return atom(`readonly [${tuple.join(", ")}]`);
}

function emitMembers(
  shape: ObjectShape,
  context: InnerContext,
  requiredElsewhere: readonly string[] = [],
): string {
  const { bases, properties, additionalProperties } = shape;
  const indent = `${context.indent}  `;
  const members = properties
    .filter((property) => isPresent(property, context.view, context.schemas))
    .map((property) => emitProperty(property, { ...context, indent, absent: new Set() }));
  for (const name of requiredElsewhere) {
    // Any value but undefined: makes a property that another part of the intersection declares required.
    if (!context.absent.has(name)) members.push(`${indent}${emitKey(name)}: {} | null;\n`);
  }
  const declared = bases.length + properties.length + requiredElsewhere.length > 0;
  if (!declared) {
    const value = toType(additionalProperties ?? {}, { ...context, indent, absent: new Set() });
    members.push(`${indent}[key: string]: ${printType(value)};\n`);
  } else if (additionalProperties !== undefined && additionalProperties.never !== true) {
    // The type of further members would have to hold for the declared ones too.
    members.push(`${indent}[key: string]: unknown;\n`);
  }
  return members.length === 0 ? "{}" : `{\n${members.join("")}${context.indent}}`;
}

function emitProperty(property: Property, context: InnerContext): string {
  const { name, required, schema } = property;
  const defaulted = context.view === "request" && schema.hasDefault === true && !context.alternative;
  const comment = emitComment([schema.description, ...lifecycleLines(schema.lifecycle)], context.indent);
  const optional = required || defaulted ? "" : "?";
  const own = toType(schema, context);
  // Where the value has no such member there is what it inherits, to the compiler and at run time alike.
  const type = optional && INHERITED.has(name) ? union([own, atom(`Object[${emitValue(name)}]`)]) : own;
  return `${comment}${context.indent}${emitKey(name)}${optional}: ${printType(type)};\n`;
}

/** Members of TypeScript's `Object`. */
const INHERITED = new Set([
  ...["constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"],
  ...["toLocaleString", "toString", "valueOf"],
]);

/** Names of properties that the schema declares, itself or through its parts, and the view does not have. */
function findAbsent(schema: Schema, context: TypeContext): readonly string[] {
  const target = schema.reference === undefined ? undefined : context.schemas.get(schema.reference);
  return [
    ...(schema.properties ?? [])
      .filter((property) => !isPresent(property, context.view, context.schemas))
      .map(({ name }) => name),
    ...(target ? findAbsent(target.schema, context) : []),
    ...(schema.allOf ?? []).flatMap((part) => findAbsent(part, context)),
  ];
}
