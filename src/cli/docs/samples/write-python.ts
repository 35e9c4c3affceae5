import { toMediaKind } from "tenon/core/http";
import { listSecrets, type SampleCredential } from "./sample-credentials.js";
import { type SampleBody, type SampleRequest, toUrl } from "./sample-request.js";

/** Writes the request as a script for Python 3 with the package requests. */
export function toPython(request: SampleRequest, address: string): string {
  const { operation, written, body, credentials } = request;
  const secrets = listSecrets(credentials, "query", written.query).flatMap(({ start, variable }) => [
    start,
    { code: `quote(${toName(variable)}, safe="")` },
  ]);
  const headers = listHeaders(request);
  const options = [
    ...(headers.length === 0
      ? []
      : [`headers={\n${headers.map((line) => `        ${line},\n`).join("")}    }`]),
    ...credentials.flatMap(toOption),
    ...(body === undefined ? [] : [toBody(body)]),
    "timeout=30",
  ];
  const needsQuote = secrets.length > 0;
  const variables = credentials.flatMap(listVariables);
  return [
    ...(variables.length > 0 ? ["import os"] : []),
    ...(needsQuote ? ["from urllib.parse import quote"] : []),
    ...(variables.length > 0 || needsQuote ? [""] : []),
    "import requests",
    "",
    ...variables.map((name) => `${toName(name)} = os.environ[${toText(name)}]`),
    ...(variables.length > 0 ? [""] : []),
    "response = requests.request(",
    `    ${toText(operation.method.toUpperCase())},`,
    `    ${toFormat([toUrl(request, address), ...secrets])},`,
    ...options.map((option) => `    ${option},`),
    ")",
    "print(response.status_code, response.text)",
    "",
  ].join("\n");
}

/** `API_KEY` becomes `api_key`. */
function toName(variable: string): string {
  return variable.toLowerCase();
}

function listVariables(credential: SampleCredential): readonly string[] {
  switch (credential.kind) {
    case "basic":
      return [credential.username, credential.password];
    case "certificate":
      return [credential.certificate, credential.privateKey];
    case "secret":
      return [credential.variable];
  }
}

/** A string of JSON is one of Python. */
function toText(text: string): string {
  return JSON.stringify(text);
}

/** Writes texts with expressions as an f-string, others as a string. */
function toFormat(texts: readonly (string | { readonly code: string })[]): string {
  if (texts.every((text) => typeof text === "string")) return toText(texts.join(""));
  const parts = texts.map((text) =>
    typeof text === "string" ? toText(text).slice(1, -1).replaceAll(/[{}]/g, "$&$&") : `{${text.code}}`,
  );
  // Before Python 3.12, an expression within an f-string has no quotes of the same kind.
  return `f'${parts.join("").replaceAll("'", "\\'").replaceAll('\\"', '"')}'`;
}

function listHeaders({ written, body, credentials }: SampleRequest): readonly string[] {
  const secrets = listSecrets(credentials, "cookie", written.cookies);
  const cookies = [
    written.cookies.map((pair) => pair.join("=")).join("; "),
    ...secrets.flatMap(({ start, variable }) => [start, { code: toName(variable) }]),
  ];
  const isTyped =
    body !== undefined && typeof body.sent === "string" && body.mediaType !== "application/json";
  const headers: (readonly [name: string, text: string])[] = [
    ...credentials.flatMap((credential): (readonly [string, string])[] =>
      credential.kind === "secret" && credential.in === "header"
        ? [[credential.name, toFormat([credential.start, { code: toName(credential.variable) }])]]
        : [],
    ),
    ...written.headers.map(([name, value]) => [name, toText(value)] as const),
    ...(cookies.length === 1 && cookies[0] === "" ? [] : [["Cookie", toFormat(cookies)] as const]),
    ...(isTyped ? [["Content-Type", toText(body.mediaType)] as const] : []),
  ];
  return headers.map(([name, text]) => `${toText(name)}: ${text}`);
}

function toOption(credential: SampleCredential): readonly string[] {
  if (credential.kind === "basic")
    return [`auth=(${toName(credential.username)}, ${toName(credential.password)})`];
  if (credential.kind === "certificate")
    return [`cert=(${toName(credential.certificate)}, ${toName(credential.privateKey)})`];
  return [];
}

function toBody({ mediaType, value, sent }: SampleBody): string {
  if (typeof sent !== "string") {
    const parts = sent.map(({ name, text, mediaType: type }) => {
      const file =
        type === undefined
          ? `(None, ${toText(text)})`
          : `(${toText(name)}, ${toText(text)}, ${toText(type)})`;
      return `        (${toText(name)}, ${file}),\n`;
    });
    return `files=[\n${parts.join("")}    ]`;
  }
  if (toMediaKind(mediaType) === "json") return `json=${toValue(value, "    ")}`;
  return `data=${toText(sent)}.encode()`;
}

/** Writes a JSON value as one of Python. */
function toValue(value: unknown, indent: string): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const parts = Array.isArray(value)
    ? value.map((item) => toValue(item, inner))
    : Object.entries(value).map(([name, member]) => `${toText(name)}: ${toValue(member, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
