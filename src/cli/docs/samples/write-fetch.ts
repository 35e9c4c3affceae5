import { emitKey, emitValue } from "../../generate/text.js";
import { toMediaKind } from "tenon/core/http";
import type { SampleCredential, SampleText } from "./sample-credentials.js";
import { listHeaders, type SampleBody, type SampleRequest, toUrl } from "./sample-request.js";

/**
 * Writes the request as a module for Node and for browsers, by the platform's `fetch`.
 * @returns undefined for what `fetch` refuses: TRACE, and a body of GET or HEAD.
 */
export function toFetch(request: SampleRequest, address: string): string | undefined {
  const { operation, body, credentials } = request;
  if (!canFetch(request)) return undefined;
  const headers = toHeaders(request);
  const options = [
    ...(operation.method === "get" ? [] : [`method: ${emitValue(operation.method.toUpperCase())}`]),
    ...(headers.length === 0 ? [] : [`headers: {\n${headers.map((line) => `    ${line},\n`).join("")}  }`]),
    ...(body === undefined ? [] : [toBody(body)]),
  ];
  const url = toTemplate(toUrl(request, address), (name) => `encodeURIComponent(${name})`);
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
  const needsCertificate = credentials.some(({ kind }) => kind === "certificate");
  const variables = credentials.flatMap((one) => (one.kind === "certificate" ? [] : one.variables));
  return [
    ...(variables.length === 0 ? [] : ["// Node has it in its environment; in a browser, put it here."]),
    ...variables.map((name) => `const ${toName(name)} = globalThis.process?.env.${name} ?? "";`),
    ...(needsCertificate ? ["// The connection needs a certificate, which fetch cannot be given."] : []),
  ];
}

/** Writes a text with variables as a template, one without as a literal, and a variable alone as itself. */
function toTemplate(text: SampleText, toCode = (name: string) => name): string {
  const [first, ...others] = text;
  if (others.length === 0) return typeof first === "object" ? toName(first.variable) : emitValue(first);
  const parts = text.map((part) =>
    typeof part === "string"
      ? part.replaceAll(/[`\\]|\$(?=\{)/g, "\\$&")
      : `\${${toCode(toName(part.variable))}}`,
  );
  return `\`${parts.join("")}\``;
}

function toHeaders(request: SampleRequest): readonly string[] {
  const basic = request.credentials.flatMap(({ kind, variables: [username, password = ""] }) => {
    const code = `btoa(\`\${${toName(username)}}:\${${toName(password)}}\`)`;
    return kind === "basic" ? [`Authorization: \`Basic \${${code}}\``] : [];
  });
  const others = listHeaders(request).map(([name, text]) => `${emitKey(name)}: ${toTemplate(text)}`);
  const comment = "// A browser sends its own cookies and ignores this.\n    ";
  return [...basic, ...others].map((line) => (line.startsWith("Cookie: ") ? comment + line : line));
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
