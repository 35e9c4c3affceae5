import type { CredentialPlace } from "tenon/client";
import {
  type Contract,
  type Credential,
  declaresLastEventId,
  findOwnBasePath,
  type Operation,
  type Parameter,
} from "tenon/core/model";
import { toFormStyles } from "tenon/client/internal";
import { explodesByDefault, findJsonType, type ValueType } from "tenon/core/parameters";
import { GENERATED_VERSION } from "tenon/core/version";
import type { EmittedTypes } from "./types/types.js";
import { emitHeader, type EmitOptions, emitExpanded, emitValue } from "./text.js";

type ClientOptions = EmitOptions & Pick<EmittedTypes, "marked">;

const JSON_ONLY = "application/json";

/** Emits client.ts: a typed client of the contract's operations, with their run-time data. */
export function emitClient(contract: Contract, { source, marked }: ClientOptions): string {
  const securitySchemes = toSecuritySchemes(contract);
  const security = findUsualSecurity(contract.operations);
  const table = {
    tenon: GENERATED_VERSION,
    securitySchemes,
    security,
    ...(contract.operations.some((operation) => findOwnBasePath(operation, contract) !== undefined) && {
      basePath: contract.basePath,
    }),
    operations: toOperations(contract, security),
  };
  const schemes = Object.keys(securitySchemes).map((name) => emitValue(name));
  const paths = marked ? `paths, "marked"` : "paths";
  return `${emitHeader(source)}import {
  type ClientContract,
  type ClientOptions,
  type ContractClient,
  createContractClient,
} from "tenon/client";
import type { paths } from "./types.js";

/** The contract's security schemes. */
type Scheme = ${schemes.length === 0 ? "never" : schemes.join(" | ")};

const contract: ClientContract = ${emitExpanded(table)};

/**
 * Creates a typed client. \`client.GET("/path", { params })\` resolves to \`{ status, data, response }\` or
 * \`{ status, error, response }\`; compare \`status\` to narrow the type.
 */
export function createClient(options: ClientOptions<Scheme>): ContractClient<${paths}> {
  return createContractClient<${paths}>(contract, options);
}
`;
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

function toOperations(contract: Contract, security: Security): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of contract.operations) {
    const basePath = findOwnBasePath(operation, contract);
    (paths[operation.path] ??= {})[operation.method] = {
      ...toClientOperation(operation, security),
      ...(basePath !== undefined && { basePath }),
    };
  }
  return paths;
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
    ...(hasEvents(operation) && declaresLastEventId(operation) && { resumes: true }),
    ...(JSON.stringify(security) !== JSON.stringify(usualSecurity) && { security }),
    ...(mediaTypes.join() !== JSON_ONLY && { mediaTypes }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(Object.keys(fields).length > 0 && { fields }),
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
