import type { CredentialPlace } from "tenon/client";
import { parsePointer } from "tenon/core/document";
import { toMediaKind, toReplyKind } from "tenon/core/http";
import {
  assertIdentifier,
  type Contract,
  type Credential,
  declaresLastEventId,
  findOwnBasePath,
  findPagination,
  type MediaType,
  type Operation,
  type Pagination,
  type Parameter,
  toOperationLabel,
} from "tenon/core/model";
import { toFormStyles } from "tenon/client/internal";
import { explodesByDefault, findJsonType, type ValueType } from "tenon/core/parameters";
import { GENERATED_VERSION } from "tenon/core/version";
import { toCallNames } from "./call-names.js";
import { groupBy } from "./group-by.js";
import { describeSuccessor, lifecycleLines } from "./lifecycle-comment.js";
import { toFileNames, UNTAGGED } from "./server/parts.js";
import { listPathItems } from "./types/operations.js";
import type { EmittedTypes } from "./types/types.js";
import { emitComment, emitExpanded, emitHeader, emitImport, type EmitOptions, emitValue } from "./text.js";

type ClientOptions = EmitOptions & Pick<EmittedTypes, "marked">;

const JSON_ONLY = "application/json";

/** An operation, the name of its call, and its key in the `operations` of types.ts. */
export interface NamedCall {
  readonly name: string;
  readonly key: string;
  readonly operation: Operation;
}

/** Emits client.ts and the files of its calls: a typed client of the contract's operations, with their run-time data. */
export function emitClient(contract: Contract, options: ClientOptions): ReadonlyMap<string, string> {
  const { source, marked, groupByTag = false } = options;
  const securitySchemes = toSecuritySchemes(contract);
  const security = findUsualSecurity(contract.operations);
  const shared = {
    tenon: GENERATED_VERSION,
    securitySchemes,
    security,
    ...(contract.operations.some((operation) => findOwnBasePath(operation, contract) !== undefined) && {
      basePath: contract.basePath,
    }),
  };
  const schemes = Object.keys(securitySchemes).map((name) => emitValue(name));
  const calls = nameCalls(contract);
  const groups = groupByTag ? toGroups(calls) : undefined;
  const emitPart = (part: readonly NamedCall[], types: string) =>
    emitHeader(source) + emitCalls(part, { contract, security, marked, types });
  const parts = groups?.map(({ file, calls: part }) => [file, emitPart(part, "../types.js")] as const);
  const main = parts?.map(([file]) => `export * from "./${file.replace(/\.ts$/, ".js")}";\n`).join("");
  const { imports, table } = groups === undefined ? FLAT : toGroupTable(groups);
  const types = marked ? `paths, typeof calls, "marked"` : "paths, typeof calls";
  const client = `${emitHeader(source)}import {
  type BareClient,
  type BoundCalls,
  type ClientContract,
  type ClientOptions,
  type ContractClient,
  createBareContractClient,
  createContractClient,
} from "tenon/client";
${imports}import type { paths } from "./types.js";

export * from "./calls.js";

/** The contract's security schemes. */
type Scheme = ${schemes.length === 0 ? "never" : schemes.join(" | ")};

const contract: ClientContract = ${emitValue(shared, "", "const contract: ClientContract = ".length)};
${table}
/** A client with a function for each operation by name, \`client.listPets(options)\`, and by path, \`client.GET("/pets", options)\`. */
export type Client = BareClient & BoundCalls<typeof calls> & ContractClient<${marked ? 'paths, "marked"' : "paths"}>;

/**
 * Creates a typed client. A call resolves to \`{ status, data, response }\` or \`{ status, error, response }\`: compare \`status\` to narrow
 * the type. Its \`orThrow()\` resolves to the data of a successful response.
 */
export function createClient(options: ClientOptions<Scheme>): Client {
  return createContractClient<${types}>(contract, calls, options);
}

/** Creates a client for the functions of this module, \`listPets(client, options)\`. A bundle has only those that it imports. */
export function createBareClient(options: ClientOptions<Scheme>): BareClient {
  return createBareContractClient(contract, options);
}
`;
  return new Map([
    ["client.ts", client],
    ["calls.ts", main === undefined ? emitPart(calls, "./types.js") : emitHeader(source) + main],
    ...(parts ?? []),
  ]);
}

const FLAT = { imports: 'import * as calls from "./calls.js";\n', table: "" };

interface Group {
  /** Name of the member of the client. */
  readonly name: string;
  readonly file: string;
  readonly calls: readonly NamedCall[];
}

/** Groups calls by the first tag of their operations. */
function toGroups(calls: readonly NamedCall[]): readonly Group[] {
  const byTag = groupBy(calls, ({ operation }) => operation.tags[0] ?? UNTAGGED);
  const names = toCallNames([...byTag.keys()].map((id) => ({ id })));
  const files = toFileNames([...byTag.keys()]);
  return [...byTag].map(([tag, group], index) => ({
    name: names[index] ?? "",
    file: `calls/${files.get(tag) ?? ""}.ts`,
    calls: group,
  }));
}

/** Emits the imports of groups, and the table with them. */
function toGroupTable(groups: readonly Group[]): typeof FLAT {
  const imports = groups.map(
    ({ file }, index) => `import * as group${index} from "./${file.replace(/\.ts$/, ".js")}";\n`,
  );
  const members = groups.map(({ name }, index) => `  ${name}: group${index},\n`);
  return { imports: imports.join(""), table: `\nconst calls = {\n${members.join("")}};\n` };
}

/** Returns the member of the client that calls each operation: `listPets`, or `pets.listPets` in groups. */
export function toCallMembers(contract: Contract, groupByTag: boolean): ReadonlyMap<Operation, string> {
  const calls = nameCalls(contract);
  const groups = groupByTag ? toGroups(calls) : [{ name: undefined, calls }];
  return new Map(
    groups.flatMap((group) =>
      group.calls.map(({ name, operation }) => [operation, [group.name, name].filter(Boolean).join(".")]),
    ),
  );
}

/** Names the calls of all operations. */
export function nameCalls(contract: Contract): readonly NamedCall[] {
  const named = listPathItems(contract)
    .filter(({ kind }) => kind === "paths")
    .flatMap(({ operations }) => operations);
  const keys = new Map(named.map(({ key, operation }) => [operation, key]));
  const names = toCallNames(contract.operations);
  return contract.operations.map((operation, index) => ({
    name: names[index] ?? "",
    key: keys.get(operation) ?? "",
    operation,
  }));
}

interface CallContext extends Pick<ClientOptions, "marked"> {
  readonly contract: Contract;
  readonly security: Security;
  /** Module of the contract's types. */
  readonly types: string;
}

/** Emits the functions of operations, each a constant without effects, so that bundlers leave out the unused ones. */
function emitCalls(calls: readonly NamedCall[], context: CallContext): string {
  if (calls.length === 0) return "export {};\n";
  const isPaged = ({ operation }: NamedCall) =>
    findPagination(operation, context.contract).pagination !== undefined;
  const imported = new Set([
    ...(calls.every(isPaged) ? [] : ["defineCall"]),
    ...(calls.some(isPaged) ? ["definePagedCall"] : []),
    ...calls.flatMap(({ operation }) => listFunctions(operation)).sort(),
  ]);
  const imports = emitImport("tenon/client", [...imported]) + emitImport(context.types, ["type operations"]);
  return `${imports}\n${calls.map((call) => emitCall(call, context)).join("\n")}`;
}

/** Finds a form of `Idempotency-Key` that its schema allows, if the operation declares the header. */
function findIdempotencyKey({ parameters }: Operation): { readonly idempotencyKey?: "plain" | "quoted" } {
  const header = parameters.find((one) => one.in === "header" && /^idempotency-key$/i.test(one.name));
  if (header === undefined) return {};
  const { pattern = "", maxLength = Infinity } = header.schema;
  const allows = (value: string) => value.length <= maxLength && new RegExp(pattern, "u").test(value);
  const key = "8e03978e-40d5-43e8-bc93-6894a57f9324";
  const form = (["plain", "quoted"] as const).find((name) => allows(name === "plain" ? key : `"${key}"`));
  return form === undefined ? {} : { idempotencyKey: form };
}

/** Leaves out the defaults. */
function toPages({ style, items, ...others }: Pagination): object {
  return { ...(style !== "link" && { style }), ...(items !== "" && { items }), ...others };
}

function emitCall({ name, key, operation }: NamedCall, { contract, security, marked }: CallContext): string {
  const { id, method, path, summary, description, lifecycle, successor } = operation;
  const comment = emitComment([
    summary ?? `Calls ${toOperationLabel(operation)}.`,
    ...(description === undefined ? [] : ["", description.trim()]),
    ...(summary === undefined ? [] : ["", toOperationLabel(operation)]),
    ...lifecycleLines(lifecycle, undefined, describeSuccessor(successor)),
  ]);
  const basePath = findOwnBasePath(operation, contract);
  const data = {
    ...{ id, method, path },
    ...toClientOperation(operation, security),
    ...(basePath !== undefined && { basePath }),
  };
  const { pagination } = findPagination(operation, contract);
  const keys = parsePointer(pagination?.items ?? "");
  const types = [
    `operations[${emitValue(key)}]`,
    emitValue(method),
    ...(marked ? ['"marked"'] : keys.length > 0 ? ['"unmarked"'] : []),
    ...(keys.length > 0 ? [emitValue(keys)] : []),
  ];
  const paged = { ...data, ...(pagination && { pages: toPages(pagination) }) };
  const define = pagination === undefined ? "defineCall" : "definePagedCall";
  return `${comment}export const ${assertIdentifier(name)} = /* @__PURE__ */ ${define}<${types.join(", ")}>(${emitExpanded(paged, "", listFunctions(operation))});\n`;
}

/** Lists the functions of the client that an operation needs and most do not, so that a bundle has only those in use. */
function listFunctions({ requestBody, responses }: Operation): readonly string[] {
  const sent = requestBody?.mediaTypes ?? [];
  const received = responses.flatMap(({ mediaTypes }) => mediaTypes);
  const whole = received.filter(({ items }) => items === undefined);
  const isOther = ({ name, items }: MediaType) => toMediaKind(name) !== "json" && !items?.parts;
  return [
    ...(sent.some(isOther) ? ["writeContent"] : []),
    ...(sent.some(({ items }) => items?.parts) ? ["writeParts"] : []),
    ...(received.some(({ items }) => items && !items.parts) ? ["readItems"] : []),
    ...(received.some(({ items }) => items?.parts) ? ["readParts"] : []),
    ...(whole.some(({ name }) => toReplyKind(name) === "binary") ? ["readBytes"] : []),
  ];
}

/** Returns the location of each scheme's credential. Schemes without one in the request, such as `mutualTLS`, are left out. */
export function toSecuritySchemes({
  securitySchemes,
}: Pick<Contract, "securitySchemes">): Readonly<Record<string, CredentialPlace>> {
  return Object.fromEntries(
    securitySchemes.flatMap(({ name, credential }) => {
      const place = toPlace(credential);
      return place === undefined ? [] : [[name, place]];
    }),
  );
}

function toPlace(credential: Credential): CredentialPlace | undefined {
  switch (credential.kind) {
    case "oauth2":
    case "openIdConnect":
      return { scheme: "Bearer" };
    case "http": {
      const { scheme } = credential;
      return { scheme: scheme.charAt(0).toUpperCase() + scheme.slice(1) };
    }
    case "apiKey":
      return { in: credential.in, name: credential.name };
    case "mutualTLS":
    case "unknown":
      return undefined;
  }
}

/** Alternatives, each with the names of its security schemes. */
type Security = readonly (readonly string[])[];

function findUsualSecurity(operations: readonly Operation[]): Security {
  const counts = new Map<string, number>();
  for (const operation of operations) {
    const key = JSON.stringify(toSecurity(operation));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [[usual] = ["[]"]] = [...counts].sort(([, a], [, b]) => b - a);
  return JSON.parse(usual) as Security;
}

function toSecurity({ security }: Operation): Security {
  return security.map((requirement) => Object.keys(requirement));
}

/**
 * Returns the data of an operation that the client needs at run time: its `ClientOperation`. Default values are left out, so a
 * typical operation has only its statuses.
 */
export function toClientOperation(operation: Operation, usualSecurity: Security): object {
  const { requestBody, responses } = operation;
  const mediaTypes = requestBody?.mediaTypes.map(({ name }) => name) ?? [JSON_ONLY];
  const parameters = toParameters(operation.parameters);
  const fields = toFields(operation);
  const security = toSecurity(operation);
  const items = toItems(responses);
  return {
    responses: responses.map(({ status, mediaTypes: declared }) => {
      const names = declared.map(({ name }) => name);
      const key = /^\d+$/.test(status) ? Number(status) : status;
      return names.join() === JSON_ONLY ? key : [key, ...names];
    }),
    ...(Object.keys(items).length > 0 && { items }),
    ...toParts(operation),
    ...(hasEvents(operation) && declaresLastEventId(operation) && { resumes: true }),
    ...(JSON.stringify(security) !== JSON.stringify(usualSecurity) && { security }),
    ...(mediaTypes.join() !== JSON_ONLY && { mediaTypes }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...findIdempotencyKey(operation),
  };
}

/** Lists the media types whose items are received one by one, with the kinds of events. */
function toItems(responses: Operation["responses"]): object {
  return Object.fromEntries(
    responses.flatMap(({ mediaTypes }) =>
      mediaTypes.flatMap(({ name, items }) => (items ? [[name, items.events] as const] : [])),
    ),
  );
}

/** Lists what is declared for the parts of multipart bodies by position. */
function toParts({ requestBody, responses }: Operation): object {
  const toPositions = (mediaTypes: readonly MediaType[]) =>
    Object.fromEntries(
      mediaTypes.flatMap(({ name, items }) => (items?.parts ? [[name, items.parts.positions] as const] : [])),
    );
  const sent = toPositions(requestBody?.mediaTypes ?? []);
  const received = toPositions(responses.flatMap(({ mediaTypes }) => mediaTypes));
  const parts = {
    ...(Object.keys(sent).length > 0 && { sent }),
    ...(Object.keys(received).length > 0 && { received }),
  };
  return Object.keys(parts).length > 0 ? { parts } : {};
}

function hasEvents({ responses }: Operation): boolean {
  return responses.some(({ mediaTypes }) => mediaTypes.some(({ items }) => items?.format === "events"));
}

/** Lists the parameters that are not serialized as the client does by default. */
function toParameters(parameters: readonly Parameter[]): object {
  return Object.fromEntries(
    parameters
      .map((parameter) => [`${parameter.in}/${parameter.name}`, toStyle(parameter)] as const)
      .filter(([, style]) => Object.keys(style).length > 0),
  );
}

function toStyle({ in: place, style, explode, type, form, allowReserved }: Parameter): object {
  if (form !== undefined) return { fields: toFormStyles(form.fields) };
  if (type === "json") return { style: "json" };
  if (findJsonType(type) !== undefined) return { style: "jsonOrText" };
  const usual = place === "path" || place === "header" ? "simple" : "form";
  const exploded = explode !== explodesByDefault(style) && !isPlain(type);
  return {
    ...(style !== usual && { style }),
    ...(exploded && { explode }),
    ...(allowReserved && { allowReserved }),
  };
}

/** Tests whether a value needs no serialization of its parts. */
function isPlain(type: ValueType): boolean {
  return [type].flat().every((alternative) => typeof alternative === "string");
}

/** Lists the form fields that are not serialized as the client does by default. */
function toFields({ requestBody }: Operation): object {
  const forms = (requestBody?.mediaTypes ?? []).map(({ form }) => form);
  return toFormStyles(forms.flatMap((form) => (typeof form === "object" ? form.fields : [])));
}
