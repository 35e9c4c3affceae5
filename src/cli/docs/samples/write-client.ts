import { emitKey, emitValue } from "../../generate/text.js";
import { isNode } from "tenon/core/document";
import { toMediaKind } from "tenon/core/http";
import type { MediaType, Operation } from "tenon/core/model";
import { listFiles } from "../../verify/messages/index.js";
import type { SampleCredential } from "./sample-credentials.js";
import { canFetch, toOptions } from "./write-fetch.js";
import { type SampleBody, type SampleRequest, toFileText } from "./sample-request.js";

export interface ClientSampleOptions {
  /** Module of the generated client: `./generated/v1/client.js`. */
  readonly client: string;
  /** The contract's first security scheme, which the client's `apiKey` is for. */
  readonly firstScheme: string | undefined;
  /** Members of the client by operation: `listPets`, or `pets.listPets`. */
  readonly members: ReadonlyMap<Operation, string>;
}

/** Writes the request as a TypeScript module that calls the generated client. */
export function toClient(
  request: SampleRequest,
  address: string,
  { client, firstScheme, members }: ClientSampleOptions,
): string | undefined {
  const { operation, values, body, credentials } = request;
  const member = members.get(operation);
  if (!canFetch(request) || member === undefined) return undefined;
  const options = [
    ...Object.entries(values).map(
      ([place, own]) => `${place}: ${emitValue(own, "  ", `  ${place}: `.length)}`,
    ),
    ...(body === undefined ? [] : toBody(body, operation.requestBody?.mediaTypes ?? [])),
  ];
  return [
    `import { createClient } from ${emitValue(client)};`,
    "",
    "const client = createClient({",
    `  baseUrl: ${emitValue(address)},`,
    ...toCredentials(credentials, firstScheme).map((line) => `  ${line},`),
    "});",
    `const { status, data, error } = await client.${member}(${toOptions(options)});`,
    "console.log(status, data ?? error);",
    "",
  ].join("\n");
}

function toCredentials(
  credentials: readonly SampleCredential[],
  firstScheme: string | undefined,
): readonly string[] {
  const [only, ...others] = credentials.flatMap((credential) => {
    const { kind, scheme } = credential;
    const [first, second = ""] = credential.variables.map(toVariable);
    if (kind === "certificate" || first === undefined) return [];
    return [{ scheme, code: kind === "secret" ? first : `{ username: ${first}, password: ${second} }` }];
  });
  if (only === undefined) return [];
  if (others.length === 0 && only.scheme === firstScheme) return [`apiKey: ${only.code}`];
  const members = [only, ...others].map(({ scheme, code }) => `${emitKey(scheme)}: ${code}`);
  return [`credentials: { ${members.join(", ")} }`];
}

/** Writes a variable so that it compiles with the strictest options. */
function toVariable(name: string): string {
  return `process.env[${emitValue(name)}] ?? ""`;
}

/** Writes a body. The media type can be left out for JSON, and when it is the only one. */
function toBody({ mediaType, value }: SampleBody, content: readonly MediaType[]): readonly string[] {
  const declared = content.find(({ name }) => name === mediaType);
  const isUsual = content.length === 1 || mediaType === "application/json";
  return [
    `body: ${declared?.items ? emitValue(value, "  ", "  body: ".length) : toValue(mediaType, value, listFiles(declared ?? {}))}`,
    ...(isUsual ? [] : [`mediaType: ${emitValue(mediaType)}`]),
  ];
}

function toValue(mediaType: string, value: unknown, files: ReturnType<typeof listFiles>): string {
  const kind = toMediaKind(mediaType);
  if (kind === "binary") return toBlob(value, mediaType);
  if (kind !== "multipart" || !isNode(value)) return emitValue(value, "  ", "  body: ".length);
  const members = Object.entries(value).map(([name, member]) => {
    const file = files.get(name);
    if (file === undefined) return `${emitKey(name)}: ${emitValue(member, "    ")}`;
    const blobs = [member].flat().map((text) => toBlob(text, file.mediaType));
    return `${emitKey(name)}: ${file.several ? `[${blobs.join(", ")}]` : blobs.join("")}`;
  });
  return `{\n${members.map((line) => `    ${line},\n`).join("")}  }`;
}

function toBlob(text: unknown, type: string): string {
  return `new Blob([${emitValue(toFileText(text))}], ${emitValue({ type })})`;
}
