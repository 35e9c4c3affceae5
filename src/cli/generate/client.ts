import type { CredentialPlace } from "tenon/client";
import { parsePointer } from "tenon/core/document";
import {
  assertIdentifier,
  type Contract,
  type Credential,
  findOwnBasePath,
  findPagination,
  type Operation,
  type Pagination,
  toOperationLabel,
  UniqueNames,
} from "tenon/core/model";
import { GENERATED_VERSION } from "tenon/core/version";
import { toCallNames } from "./call-names.js";
import { findUsualSecurity, listFunctions, type Security, toClientOperation } from "./client-operation.js";
import { groupBy } from "./group-by.js";
import { describeSuccessor, lifecycleLines } from "./lifecycle-comment.js";
import { toFileNames, UNTAGGED } from "./server/parts.js";
import { listPathItems } from "./types/operations.js";
import type { EmittedTypes } from "./types/types.js";
import { emitComment, emitExpanded, emitHeader, emitImport, type EmitOptions, emitValue } from "./text.js";

type ClientOptions = EmitOptions & Pick<EmittedTypes, "marked">;

/** An operation, the name of its call, and its key in the `operations` of types.ts. */
export interface NamedCall {
  readonly name: string;
  /** Name of the interface of its types. */
  readonly typeName: string;
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
export type Client = BareClient & BoundCalls<typeof calls> & ContractClient<paths, "${marked ? "marked" : "unmarked"}">;

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
  const typeNames = new UniqueNames([...names, "TypesOf"]);
  return contract.operations.map((operation, index) => ({
    name: names[index] ?? "",
    typeName: typeNames.add(assertIdentifier(operation.typeName)),
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

/**
 * Emits the functions of operations, each a constant without effects, so that bundlers leave out the unused ones. The types of each are an
 * interface: the compiler shows its name in errors and hovers, and not the types themselves.
 */
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
  return `${imports}
/** The types of an operation. */
type TypesOf<Key extends keyof operations> = operations[Key];

${calls.map((call) => emitCall(call, context)).join("\n")}`;
}

/** Leaves out the defaults. */
function toPages({ style, items, ...others }: Pagination): object {
  return { ...(style !== "link" && { style }), ...(items !== "" && { items }), ...others };
}

function emitCall(
  { name, typeName, key, operation }: NamedCall,
  { contract, security, marked }: CallContext,
): string {
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
    typeName,
    emitValue(method),
    ...(marked ? ['"marked"'] : keys.length > 0 ? ['"unmarked"'] : []),
    ...(keys.length > 0 ? [emitValue(keys)] : []),
  ];
  const paged = { ...data, ...(pagination && { pages: toPages(pagination) }) };
  const define = pagination === undefined ? "defineCall" : "definePagedCall";
  return `export interface ${typeName} extends TypesOf<${emitValue(key)}> {}

${comment}export const ${assertIdentifier(name)} = /* @__PURE__ */ ${define}<${types.join(", ")}>(${emitExpanded(paged, "", listFunctions(operation))});\n`;
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
