import {
  type Contract,
  type Form,
  type MediaType,
  type NamedSchema,
  type Operation,
  type Response,
  toContentKind,
  UniqueNames,
} from "tenon/core/model";
import { getTarget, type JsonSchema, type Schema } from "tenon/core/schema";
import { findBodySchema } from "tenon/runtime/internal";
import { type NamedCall, nameCalls } from "../client.js";
import { describeSchema, emitAlias, emitType, type TypeContext } from "../server/schema-type.js";
import { findViews } from "../server/views.js";
import {
  type CodecTypes,
  emitComment,
  emitHeader,
  emitImport,
  type EmitOptions,
  emitKey,
  emitValue,
} from "../text.js";
import { Converted } from "./codecs.js";
import { emitCodecs } from "./emit-codecs.js";
import { createGraph, type Graph } from "./graph.js";
import { Variants } from "./variants.js";

interface SchemasOptions extends EmitOptions {
  /** True if types.ts marks properties as `readOnly` or `writeOnly`. */
  readonly marked: boolean;
}

/** A schema of a request body or response that is validated, in both forms. */
export interface Body {
  readonly schema: Schema;
  readonly request: JsonSchema;
  readonly response: JsonSchema;
}

export interface Context {
  readonly contract: Contract;
  readonly marked: boolean;
  readonly variants: Variants;
  readonly graph: Graph;
  readonly types: TypeContext;
  readonly bodies: ReadonlyMap<MediaType, Body>;
  /** Names of the validators of request bodies. */
  readonly bodyNames: Map<MediaType, string>;
  /** Undefined without codecs. */
  readonly converted: Converted | undefined;
}

/**
 * Emits schemas.ts: a validator for each component, and for the request bodies and responses of each operation. Each is a constant
 * without effects, so that bundlers leave out the unused ones.
 */
export function emitSchemas(contract: Contract, { source, marked, codecs = {} }: SchemasOptions): string {
  const context = createContext(contract, marked, codecs);
  const calls = nameCalls(contract);
  const taken = new UniqueNames(context.graph.named.values());
  const described = calls
    .filter(({ operation }) => operation.responses.flatMap(listJson).length > 0)
    .map((call) => ({ ...call, name: taken.add(`${call.name}Responses`) }));
  const components = contract.schemas.map((named) => emitComponent(named, context));
  const bodies = emitBodies(calls, taken, context);
  const ofResponses = [...described.map((call) => emitResponses(call, context)), emitTable(described)];
  const others = keepUsed(emitOthers(context), [...components, ...bodies, ...ofResponses]);
  const parts = [...components, ...others, ...bodies, ...ofResponses, ...emitCodecs(calls, taken, context)];
  const text = parts.filter((part) => part !== "").join("\n");
  const has = (pattern: RegExp) => pattern.test(text);
  const types = ["components", "operations"].filter((name) => has(new RegExp(`\\b${name}\\["`)));
  const views = ["Readable", "Writable"].filter((name) => marked && has(new RegExp(`\\b${name}<`)));
  const imports = [
    emitImport(
      "tenon/client",
      views.map((name) => `type ${name}`),
    ),
    has(/\bs\./) ? 'import * as s from "tenon/schemas";\n' : "",
    emitImport(
      "./types.js",
      types.map((name) => `type ${name}`),
    ),
  ].join("");
  return `${emitHeader(source)}${imports}\n${text}`;
}

function createContext(contract: Contract, marked: boolean, codecs: CodecTypes): Context {
  const { registry, schemas, operations } = contract;
  const variants = new Variants(registry);
  for (const { reference } of schemas)
    for (const form of ["response", "request"] as const) variants.get(reference, form);
  const bodies = new Map<MediaType, Body>();
  const add = (mediaType: MediaType, schema: Schema | undefined) => {
    if (schema === undefined) return;
    const write = (form: "request" | "response") => variants.write(schema, form);
    bodies.set(mediaType, { schema, request: write("request"), response: write("response") });
  };
  for (const { requestBody, responses } of operations) {
    for (const mediaType of requestBody?.mediaTypes ?? []) add(mediaType, findValidated(mediaType, contract));
    for (const mediaType of responses.flatMap(listJson)) add(mediaType, mediaType.schema);
  }
  const converted = Object.keys(codecs).length === 0 ? undefined : new Converted(codecs, registry, schemas);
  for (const schema of [...schemas, ...bodies.values()].map((one) => one.schema))
    converted?.writeAlternatives(schema, variants);
  variants.findEqual();
  const graph = createGraph(contract, variants);
  const views = findViews(
    registry,
    schemas.map(({ reference }) => reference),
    [...bodies.values()].map(({ schema }) => schema),
  );
  const types = { registry, views, names: graph.names, view: "request" } as const;
  return { contract, marked, variants, graph, types, bodies, bodyNames: new Map(), converted };
}

/** Finds the schema that validates a request body. Files of a form are values of the platform, which no schema describes. */
function findValidated(mediaType: MediaType, { registry }: Contract): Schema | undefined {
  const schema = findBodySchema(mediaType, registry);
  const fields = typeof mediaType.form === "object" ? (mediaType.form satisfies Form).fields : [];
  const files = fields.filter(({ type }) => type === "file" || type === "files");
  if (schema === undefined || files.length === 0) return schema;
  const resolved = registry.resolve(schema);
  const { properties = {} } = resolved;
  if (!files.every(({ name }) => Object.hasOwn(properties, name))) return undefined;
  const unrestricted = files.map(({ name, schema: { pointer } }) => [name, { pointer }] as const);
  return { ...resolved, properties: { ...properties, ...Object.fromEntries(unrestricted) } };
}

export function listJson({ mediaTypes }: Response): readonly MediaType[] {
  return mediaTypes.filter(
    (mediaType) => toContentKind(mediaType) === "json" && mediaType.schema !== undefined,
  );
}

function emitComponent(component: NamedSchema, context: Context): string {
  const { reference, name, schema } = component;
  const { contract, variants, types } = context;
  const { response, received, request, sent } = nameForms(component, context);
  const comment = emitComment(describeSchema(schema));
  const alias = contract.registry.isMade(name)
    ? emitAlias(component, { ...types, view: "response" })
    : `${comment}export type ${response} = ${received};\n`;
  const validator = emitValidator(response, `s.Validator<${response}>`, {
    schema: variants.get(reference, "response").schema,
    name,
    context,
  });
  if (request === undefined) return `${alias}${validator}`;
  const requestValidator = emitValidator(request, `s.Validator<${sent}, ${request}>`, {
    schema: variants.get(reference, "request").schema,
    name,
    context,
  });
  return `${alias}${validator}\n${emitAlias(component, types)}${requestValidator}`;
}

/** The types of a component: in responses, and in requests if they differ, where `sent` is the type before defaults. */
export function nameForms({ reference, name }: NamedSchema, { contract, marked, graph }: Context) {
  const isSplit = graph.split.has(reference);
  const declared = `components["schemas"][${emitValue(name)}]`;
  const request = isSplit ? graph.names.schema(reference, "request") : undefined;
  const sent = contract.registry.isMade(name) ? (request ?? "") : marked ? `Writable<${declared}>` : declared;
  const response = graph.names.schema(reference, "response");
  return { response, received: marked && isSplit ? `Readable<${declared}>` : declared, request, sent };
}

/** Emits the schemas that others refer to and that are not components, by their names. */
function emitOthers({ contract, graph, ...context }: Context): ReadonlyMap<string, string> {
  const components = new Set(
    contract.schemas.flatMap(({ reference }) =>
      (["response", "request"] as const).map((form) => context.variants.get(reference, form)),
    ),
  );
  const others = [...graph.named].filter(([variant]) => !components.has(variant));
  return new Map(
    others.map(([{ schema, reference }, name]) => [
      name,
      emitValidator(
        name,
        "s.Validator<unknown>",
        { schema, name: contract.registry.nameOf(reference), context: { contract, graph, ...context } },
        "",
      ),
    ]),
  );
}

/** Leaves out schemas that no text refers to: a discriminator replaces references of its alternatives. */
function keepUsed(others: ReadonlyMap<string, string>, texts: readonly string[]): readonly string[] {
  const used = new Set<string>();
  const pending = [...texts];
  for (let text = pending.pop(); text !== undefined; text = pending.pop())
    for (const [name] of text.matchAll(/\bschema\d+\b/g)) {
      const other = others.get(name);
      if (other === undefined || used.has(name)) continue;
      used.add(name);
      pending.push(other);
    }
  return [...others].flatMap(([name, text]) => (used.has(name) ? [text] : []));
}

interface Validated {
  readonly schema: JsonSchema;
  /** Name of the component. */
  readonly name?: string | undefined;
  readonly context: Context;
}

function emitValidator(name: string, type: string, validated: Validated, modifier = "export "): string {
  const start = `${modifier}const ${name}: ${type} = `;
  return `${start}${emitSchema(validated, start.length)};\n`;
}

/** @param before Number of characters in the line before the expression. */
export function emitSchema({ schema, name = "", context: { graph } }: Validated, before: number): string {
  const options = {
    ...(/^\w+$/.test(name) && { name }),
    ...(graph.hasDefaults(schema) && { defaults: true }),
  };
  const rest = Object.keys(options).length === 0 ? "" : `, ${emitValue(options)}`;
  const start = "/* @__PURE__ */ s.schema(() => ";
  return `${start}${graph.emit(schema, before + start.length + rest.length)}${rest})`;
}

/** Returns the validator that a schema is a reference to. */
export function findNamed(schema: JsonSchema, { graph, variants }: Context): string | undefined {
  const uri = getTarget(schema);
  if (uri === undefined || Object.keys(schema).length > 1) return undefined;
  return graph.named.get(variants.find(uri));
}

function emitBodies(calls: readonly NamedCall[], taken: UniqueNames, context: Context): readonly string[] {
  return calls.flatMap(({ name, key, operation }) => {
    const { requestBody } = operation;
    const described = requestBody?.mediaTypes.filter((mediaType) => context.bodies.has(mediaType)) ?? [];
    return described.map((mediaType, index) => {
      const { methodName } = mediaType;
      const suffix = index === 0 ? "" : methodName.charAt(0).toUpperCase() + methodName.slice(1);
      const own = taken.add(`${name}Body${suffix}`);
      context.bodyNames.set(mediaType, own);
      return emitBody(own, mediaType, { ...context, operation, key });
    });
  });
}

function emitBody(
  name: string,
  mediaType: MediaType,
  context: Context & { readonly operation: Operation; readonly key: string },
): string {
  const { bodies, types, operation, key } = context;
  const { schema, request, response } = bodies.get(mediaType) ?? {};
  if (schema === undefined || request === undefined || response === undefined) return "";
  const comment = emitComment([
    `The body of ${operation.method.toUpperCase()} ${operation.path} as ${mediaType.name}.`,
  ]);
  const named = findNamed(request, context);
  if (named !== undefined) return `${comment}export const ${name} = ${named};\n`;
  const { input, differs } = toInput({ request, response }, key, mediaType, context);
  const type = differs ? `s.Validator<${input}, ${emitType(schema, types)}>` : `s.Validator<${input}>`;
  return `${comment}${emitValidator(name, type, { schema: request, context })}`;
}

/** The type of a body before its defaults. */
export function toInput(
  { request, response }: Pick<Body, "request" | "response">,
  key: string,
  mediaType: MediaType,
  { graph, marked }: Context,
): { readonly input: string; readonly differs: boolean } {
  const content = `NonNullable<operations[${emitValue(key)}]["requestBody"]>["content"][${emitValue(mediaType.name)}]`;
  const differs = graph.emit(request) !== graph.emit(response);
  return { input: marked && differs ? `Writable<${content}>` : content, differs };
}

/** Emits the validators of an operation's JSON responses, by status and media type. */
function emitResponses({ name, operation }: NamedCall, context: Context): string {
  const statuses = operation.responses.flatMap((response) => {
    const content = listJson(response).map((mediaType) => {
      const schema = context.bodies.get(mediaType)?.response ?? true;
      const key = `${emitKey(mediaType.name)}: `;
      const validator = findNamed(schema, context) ?? emitSchema({ schema, context }, key.length);
      return `${key}${validator.replaceAll("\n", "\n  ")}`;
    });
    return content.length === 0 ? [] : [`  ${emitStatus(response.status)}: { ${content.join(", ")} },\n`];
  });
  const comment = emitComment([`The JSON responses of ${operation.method.toUpperCase()} ${operation.path}.`]);
  return `${comment}export const ${name}: s.Responses = {\n${statuses.join("")}};\n`;
}

const emitStatus = (status: string): string => (/^\d+$/.test(status) ? status : emitKey(status));

/** Emits the validators of all responses, for the client's option \`validate\`. */
function emitTable(calls: readonly NamedCall[]): string {
  const members = calls.map(({ name, operation }) => `  ${emitKey(operation.id)}: ${name},\n`);
  const table = members.length === 0 ? "{}" : `{\n${members.join("")}}`;
  const comment = emitComment(["The responses of all operations, for `validateResponses` of the client."]);
  return `${comment}export const responses: s.ResponsesByOperation = ${table};\n`;
}
