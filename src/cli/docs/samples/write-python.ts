import { toMediaKind } from "tenon/core/http";
import type { SampleCredential, SampleText } from "./sample-credentials.js";
import { listHeaders, type SampleBody, type SampleRequest, toUrl } from "./sample-request.js";

/** Writes the request as a script for Python 3 with the package requests. */
export function toPython(request: SampleRequest, address: string): string {
  const { operation, body, credentials } = request;
  const url = toUrl(request, address);
  const headers = listHeaders(request)
    // requests adds it to JSON.
    .filter(([name, [text]]) => name !== "Content-Type" || text !== "application/json")
    .map(([name, text]) => `${toText(name)}: ${toFormat(text)}`);
  const options = [
    ...(headers.length === 0
      ? []
      : [`headers={\n${headers.map((line) => `        ${line},\n`).join("")}    }`]),
    ...credentials.flatMap(toOption),
    ...(body === undefined ? [] : [toBody(body)]),
    "timeout=30",
  ];
  const needsQuote = url.length > 1;
  const variables = credentials.flatMap((credential): readonly string[] => credential.variables);
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
    `    ${toFormat(url, (name) => `quote(${name}, safe="")`)},`,
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

/** A string of JSON is one of Python. */
function toText(text: string): string {
  return JSON.stringify(text);
}

/** Writes a text with variables as an f-string, one without as a string. */
function toFormat(text: SampleText, toCode = (name: string) => name): string {
  if (text.every((part) => typeof part === "string")) return toText(text.join(""));
  const parts = text.map((part) =>
    typeof part === "string"
      ? toText(part).slice(1, -1).replaceAll(/[{}]/g, "$&$&")
      : `{${toCode(toName(part.variable))}}`,
  );
  // Before Python 3.12, an expression within an f-string has no quotes of the same kind.
  return `f'${parts.join("").replaceAll("'", "\\'").replaceAll('\\"', '"')}'`;
}

function toOption({ kind, variables }: SampleCredential): readonly string[] {
  const pair = `(${variables.map(toName).join(", ")})`;
  return kind === "secret" ? [] : [`${kind === "basic" ? "auth" : "cert"}=${pair}`];
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
