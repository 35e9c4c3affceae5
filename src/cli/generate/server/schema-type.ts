import { type NamedSchema } from "tenon/core/model";
import {
  anything,
  findDiscriminator,
  type JsonType,
  otherProperties,
  type Schema,
  type SchemaRegistry,
} from "tenon/core/schema";
import { lifecycleLines } from "../lifecycle-comment.js";
import type { Names } from "./names.js";
import {
  listProperties,
  listRequiredElsewhere,
  type ObjectShape,
  type Property,
  toShape,
} from "./object-shape.js";
import { emitComment, emitKey, emitValue, INHERITED } from "../text.js";
import {
  arrayOf,
  atom,
  intersection,
  printDeclared,
  printElements,
  printType,
  type TypeText,
  union,
} from "./type-text.js";
import { listChoices, type View, type Views } from "./views.js";

/** The context in which types are emitted, in either view. */
export interface Context {
  readonly registry: SchemaRegistry;
  readonly names: Names;
  readonly views: Views;
  /** Returns the type of a value that is converted as a whole. Default: the types of JSON. */
  readonly convert?: (schema: Schema) => TypeText | undefined;
}

export interface TypeContext extends Context {
  readonly view: View;
}

interface InnerContext extends TypeContext {
  /** True inside a member of `oneOf` or `anyOf`, where defaults are not applied. */
  readonly alternative: boolean;
  /** Names that the view omits from the enclosing object; a nested `required` ignores them. */
  readonly absent: ReadonlySet<string>;
  /** Indentation of the line in which the type starts. */
  readonly indent: string;
}

/**
 * Emits a schema as a TypeScript type: `{ type: ["string", "null"] }` becomes `string | null`, an object becomes
 * `{ name: string; … }` with one member per line. The validator enforces what types cannot express, such as `minLength`.
 * @param schema Absent if any value is allowed.
 * @param indent Indentation of the line in which the type starts.
 */
export function emitType(schema: Schema | undefined, context: TypeContext, indent = ""): string {
  if (schema === undefined) return "unknown";
  return printType(toType(schema, { ...context, alternative: false, absent: new Set(), indent }));
}

/** Emits every component as it is sent, and as it is received if that differs and is used. Emit the types that use it first. */
export function emitDeclarations(components: readonly NamedSchema[], context: Context): readonly string[] {
  const { names, views } = context;
  const received = new Map<NamedSchema, string>();
  // A declaration can use others: repeat until no more are found.
  let size: number;
  do {
    size = received.size;
    for (const named of components)
      if (views.split.has(named.reference) && !received.has(named) && names.isReceived(named.reference))
        received.set(named, emitDeclaration(named, { ...context, view: "request" }));
  } while (received.size > size);
  return components.flatMap((named) => [
    emitDeclaration(named, { ...context, view: "response" }),
    ...(received.has(named) ? [received.get(named) ?? ""] : []),
  ]);
}

/**
 * Emits the declaration of a component: an interface for an object, otherwise a type alias.
 * `Pets: { type: array, items: { $ref: … } }` becomes `export type Pets = readonly Pet[];`.
 */
export function emitDeclaration(named: NamedSchema, context: TypeContext): string {
  const { reference, schema } = named;
  const shape = toShape(schema, context.registry);
  if (shape === undefined) return emitAlias(named, context);
  const typeName = context.names.schema(reference, context.view);
  const bases = shape.bases.map((base) => context.names.schema(base, context.view));
  const extending = bases.length === 0 ? "" : ` extends ${bases.join(", ")}`;
  const members = emitMembers(shape, toDeclared(named, context));
  return `${emitComment(describeSchema(schema))}export interface ${typeName}${extending} ${members}\n`;
}

/** Emits the declaration of a component as a type alias. */
export function emitAlias(named: NamedSchema, context: TypeContext): string {
  const { reference, schema } = named;
  const typeName = context.names.schema(reference, context.view);
  const type = printDeclared(toType(schema, toDeclared(named, context)));
  return `${emitComment(describeSchema(schema))}export type ${typeName} =${type};\n`;
}

function toDeclared({ reference }: NamedSchema, context: TypeContext): InnerContext {
  const alternative = context.views.alternatives.has(reference);
  return { ...context, alternative, absent: new Set(), indent: "" };
}

/** Returns the lines of a schema's comment. */
export function describeSchema({
  title,
  description = title,
  lifecycle,
}: Schema): readonly (string | undefined)[] {
  return [description, ...lifecycleLines(lifecycle)];
}

function toType(schema: Schema, outer: InnerContext): TypeText {
  if (schema.never === true) return atom("never");
  const { registry, view } = outer;
  const converted = outer.convert?.(schema);
  if (converted !== undefined) return converted;
  if (schema.bytes === true) return atom(view === "request" ? "FormFile" : "Uint8Array");
  const context = { ...outer, absent: new Set([...outer.absent, ...registry.absentNames(schema, view)]) };
  const parts: TypeText[] = [];
  if (schema.reference !== undefined) parts.push(toReferenceType(schema.reference, context));
  for (const part of schema.allOf ?? []) parts.push(toType(part, context));
  const own = toOwnType(schema, context);
  if (own !== undefined) parts.push(own);
  if (schema.oneOf) parts.push(toUnion(schema, "oneOf", context));
  if (schema.anyOf) parts.push(toUnion(schema, "anyOf", context));
  return intersection(parts);
}

/** Emits a reference by name. The target of a reference into a component has no name, so its type is repeated. */
function toReferenceType(reference: string, context: InnerContext): TypeText {
  const { registry, names, view } = context;
  return registry.nameOf(reference) === undefined
    ? toType(registry.get(reference), context)
    : atom(names.schema(reference, view));
}

/** Emits alternatives. The values of a discriminator are added to each that does not declare them itself. */
function toUnion(schema: Schema, key: "oneOf" | "anyOf", context: InnerContext): TypeText {
  const discriminator = findDiscriminator(schema, context.registry);
  const choices = listChoices(schema, key, context.alternative).map(
    ({ schema: choice, alternative }, index) => {
      const inner = { ...context, alternative };
      const type = toType(choice, inner);
      if (discriminator?.keyword !== key) return type;
      const { values = [], declared = true } = discriminator.choices[index] ?? {};
      if (declared) return type;
      const { pointer } = choice;
      const properties = [
        { name: discriminator.propertyName, required: true, schema: { pointer, enum: values } },
      ];
      return intersection([type, atom(emitMembers({ bases: [], properties }, inner))]);
    },
  );
  return union(choices);
}

/** Emits the type of the schema's own keywords; undefined if they add nothing to its other parts. */
function toOwnType(schema: Schema, context: InnerContext): TypeText | undefined {
  if (schema.enum) return union(nullLast(schema.enum, null).map(toLiteral));
  const { type, required, items, prefixItems } = schema;
  if (type === undefined) return undefined;
  const shape = listProperties(schema)[0] ?? otherProperties(schema) ?? required;
  const list = items ?? prefixItems;
  const composed = schema.reference ?? schema.allOf ?? schema.oneOf ?? schema.anyOf;
  if (composed !== undefined && shape === undefined && list === undefined && type.includes("object"))
    return undefined;
  return union(nullLast(type, "null").map((one) => toTypeOf(one, schema, context)));
}

/** Moves null to the end, as is common: `string | null`. */
function nullLast<Value>(values: readonly Value[], none: Value): readonly Value[] {
  return values.includes(none) ? [...values.filter((value) => value !== none), none] : values;
}

function toLiteral(value: unknown): TypeText {
  // A literal type cannot express an object or array; the validator compares it.
  return atom(typeof value === "object" && value !== null ? "unknown" : emitValue(value));
}

function toTypeOf(type: JsonType, schema: Schema, context: InnerContext): TypeText {
  switch (type) {
    case "integer":
    case "number":
      return atom("number");
    case "array":
      return toArrayType(schema, context);
    case "object": {
      const properties = listProperties(schema);
      const additionalProperties = otherProperties(schema);
      const shape = { bases: [], properties, additionalProperties };
      return atom(emitMembers(shape, context, listRequiredElsewhere(schema)));
    }
    case "string":
    case "boolean":
    case "null":
      return atom(type);
  }
}

/** Emits a tuple if all its items are required, otherwise an array. */
function toArrayType(
  { pointer, items = anything(pointer), prefixItems = [], minItems = 0 }: Schema,
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
    .filter(({ schema }) => !context.registry.isAbsent(schema, context.view))
    .map((property) => emitProperty(property, { ...context, indent, absent: new Set() }));
  for (const name of requiredElsewhere) {
    // Any value but undefined: makes a property required that another part of the intersection declares.
    if (!context.absent.has(name)) members.push(`${indent}${emitKey(name)}: {} | null;\n`);
  }
  const declared = bases.length + properties.length + requiredElsewhere.length > 0;
  if (!declared) {
    const inner = { ...context, indent, absent: new Set<string>() };
    const value = additionalProperties ? printType(toType(additionalProperties, inner)) : "unknown";
    members.push(`${indent}[key: string]: ${value};\n`);
  } else if (additionalProperties !== undefined && additionalProperties.never !== true) {
    // The type of an index signature would have to include the declared members.
    members.push(`${indent}[key: string]: unknown;\n`);
  }
  return members.length === 0 ? "{}" : `{\n${members.join("")}${context.indent}}`;
}

function emitProperty(property: Property, context: InnerContext): string {
  const { name, required, schema } = property;
  const defaulted = context.view === "request" && "default" in schema && !context.alternative;
  const comment = emitComment(describeSchema(schema), context.indent);
  const optional = required || defaulted ? "" : "?";
  const own = toType(schema, context);
  // A missing member is inherited from `Object`, for the compiler and at run time.
  const type = optional && INHERITED.has(name) ? union([own, atom(`Object[${emitValue(name)}]`)]) : own;
  return `${comment}${context.indent}${emitKey(name)}${optional}: ${printType(type)};\n`;
}
