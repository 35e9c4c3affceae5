import { emitKey, emitValue } from "../../generate/text.js";
import { toMediaKind } from "tenon/core/http";
import { listSecrets, type SampleCredential } from "./sample-credentials.js";
import { type SampleBody, type SampleRequest, toUrl } from "./sample-request.js";

/**
 * Writes the request as a module for Node and for browsers, by the platform's `fetch`.
 * @returns undefined for what `fetch` refuses: TRACE, and a body of GET or HEAD.
 */
export function toFetch(request: SampleRequest, address: string): string | undefined {
  const { operation, written, body, credentials } = request;
  if (!canFetch(request)) return undefined;
  const headers = toHeaders(request);
  const options = [
    ...(operation.method === "get" ? [] : [`method: ${emitValue(operation.method.toUpperCase())}`]),
    ...(headers.length === 0 ? [] : [`headers: {\n${headers.map((line) => `    ${line},\n`).join("")}  }`]),
    ...(body === undefined ? [] : [toBody(body)]),
  ];
  const secrets = listSecrets(credentials, "query", written.query).flatMap(({ start, variable }) => [
    start,
    { code: `encodeURIComponent(${toName(variable)})` },
  ]);
  const url = toTemplate([toUrl(request, address), ...secrets]);
  return [
    ...toConstants(credentials),
    ...toForm(body),
    `const response = await fetch(${url}${options.length === 0 ? "" : ", "}${toOptions(options)});`,
    "console.log(response.status, await response.text());",
    "",
  ].join("\n");
}

/** Writes the options of a call as its last argument; nothing without options. */
export function toOptions(options: readonly string[]): string {
  return options.length === 0 ? "" : `{\n${options.map((line) => `  ${line},\n`).join("")}}`;
}

export function canFetch({ operation, body }: SampleRequest): boolean {
  return operation.method !== "trace" && (body === undefined || !/^(?:get|head)$/.test(operation.method));
}

/** `API_KEY` becomes `apiKey`. */
function toName(variable: string): string {
  return variable.toLowerCase().replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

function toConstants(credentials: readonly SampleCredential[]): readonly string[] {
  const variables = credentials.flatMap((credential) => {
    if (credential.kind === "basic") return [credential.username, credential.password];
    return credential.kind === "secret" ? [credential.variable] : [];
  });
  const needsCertificate = credentials.some(({ kind }) => kind === "certificate");
  return [
    ...(variables.length === 0 ? [] : ["// Node has it in its environment; in a browser, put it here."]),
    ...variables.map((name) => `const ${toName(name)} = globalThis.process?.env.${name} ?? "";`),
    ...(needsCertificate ? ["// The connection needs a certificate, which fetch cannot be given."] : []),
  ];
}

/** Writes texts with expressions as a template, others as a literal. */
function toTemplate(texts: readonly (string | { readonly code: string })[]): string {
  if (texts.every((text) => typeof text === "string")) return emitValue(texts.join(""));
  const parts = texts.map((text) =>
    typeof text === "string" ? text.replaceAll(/[`\\]|\$(?=\{)/g, "\\$&") : `\${${text.code}}`,
  );
  return `\`${parts.join("")}\``;
}

function toHeaders({ written, body, credentials }: SampleRequest): readonly string[] {
  const isTyped = body !== undefined && typeof body.sent === "string";
  const secrets = listSecrets(credentials, "cookie", written.cookies);
  const cookies = [
    written.cookies.map((pair) => pair.join("=")).join("; "),
    ...secrets.flatMap(({ start, variable }) => [start, { code: toName(variable) }]),
  ];
  const headers: (readonly [name: string, text: string])[] = [
    ...credentials.flatMap(toAuthorization),
    ...written.headers.map(([name, value]) => [name, emitValue(value)] as const),
    ...(cookies.length === 1 && cookies[0] === "" ? [] : [["Cookie", toTemplate(cookies)] as const]),
    ...(isTyped ? [["Content-Type", emitValue(body.mediaType)] as const] : []),
  ];
  const lines = headers.map(([name, text]) => `${emitKey(name)}: ${text}`);
  const comment = "// A browser sends its own cookies and ignores this.\n    ";
  return lines.map((line) => (line.startsWith("Cookie: ") ? comment + line : line));
}

function toAuthorization(credential: SampleCredential): readonly (readonly [name: string, text: string])[] {
  if (credential.kind === "basic") {
    const code = `btoa(\`\${${toName(credential.username)}}:\${${toName(credential.password)}}\`)`;
    return [["Authorization", toTemplate(["Basic ", { code }])]];
  }
  if (credential.kind !== "secret" || credential.in !== "header") return [];
  const name = toName(credential.variable);
  return [[credential.name, credential.start === "" ? name : toTemplate([credential.start, { code: name }])]];
}

function toForm(body: SampleBody | undefined): readonly string[] {
  if (body === undefined || typeof body.sent === "string") return [];
  const fields = body.sent.map(({ name, text, mediaType }) => {
    if (mediaType === undefined) return `form.append(${emitValue(name)}, ${emitValue(text)});`;
    const file = `new Blob([${emitValue(text)}], ${emitValue({ type: mediaType })})`;
    return `form.append(${emitValue(name)}, ${file}, ${emitValue(name)});`;
  });
  return ["const form = new FormData();", ...fields];
}

function toBody({ mediaType, value, sent }: SampleBody): string {
  if (typeof sent !== "string") return "body: form";
  if (toMediaKind(mediaType) !== "json") return `body: ${emitValue(sent)}`;
  return `body: JSON.stringify(${emitValue(value, "  ", "  body: JSON.stringify(".length)})`;
}
