import { toMediaKind } from "tenon/core/http";
import { listSecrets, type SampleCredential } from "./sample-credentials.js";
import { type SampleBody, type SampleRequest, toUrl } from "./sample-request.js";

/** Writes the request as a program of Go, with its standard library. */
export function toGo(request: SampleRequest, address: string): string | undefined {
  const { operation, written, body, credentials } = request;
  // A certificate needs a client of its own, and parts of a form a writer: neither is a sample that is read at a glance.
  if (credentials.some(({ kind }) => kind === "certificate")) return undefined;
  if (body !== undefined && typeof body.sent !== "string") return undefined;
  const secrets = listSecrets(credentials, "query", written.query);
  const query = secrets.map(
    ({ start, variable }) => `+${toText(start)}+url.QueryEscape(${toVariable(variable)})`,
  );
  const lines = [
    ...credentials.flatMap(toHeaders),
    ...written.headers.map(([name, value]) => setHeader(name, toText(value))),
    ...toCookies(request),
    ...(body === undefined ? [] : [setHeader("Content-Type", toText(body.mediaType))]),
  ];
  const reader = body ? `strings.NewReader(${toBodyText(body)})` : "nil";
  const usesVariables = credentials.length > 0;
  const imports = [
    ...["fmt", "io", "net/http"],
    ...(secrets.length > 0 ? ["net/url"] : []),
    ...(usesVariables ? ["os"] : []),
    ...(body === undefined ? [] : ["strings"]),
  ];
  return `package main

import (
${imports.map((name) => `\t${toText(name)}\n`).join("")})

func main() {
	request, err := http.NewRequest(${toText(operation.method.toUpperCase())}, ${toText(toUrl(request, address))}${query.join("")}, ${reader})
	if err != nil {
		panic(err)
	}
${lines.map((line) => `\t${line}\n`).join("")}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.StatusCode, string(text))
}
`;
}

/** Writes JSON as it is read, if a raw string can have it. */
function toBodyText({ mediaType, value, sent }: SampleBody): string {
  const isJson = toMediaKind(mediaType) === "json" || typeof sent !== "string";
  const text = isJson ? JSON.stringify(value, null, 2) : sent;
  return text.includes("\n") && !/[`\r\uFEFF]/.test(text) ? `\`${text}\`` : toText(text);
}

/** A string of JSON is one of Go, but for a slash of half a surrogate pair, which no request has. */
function toText(text: string): string {
  return JSON.stringify(text).replaceAll("\\b", "\\x08").replaceAll("\\f", "\\x0c");
}

function toVariable(name: string): string {
  return `os.Getenv(${toText(name)})`;
}

function setHeader(name: string, value: string): string {
  return `request.Header.Set(${toText(name)}, ${value})`;
}

function toHeaders(credential: SampleCredential): readonly string[] {
  if (credential.kind === "basic")
    return [`request.SetBasicAuth(${toVariable(credential.username)}, ${toVariable(credential.password)})`];
  if (credential.kind !== "secret" || credential.in !== "header") return [];
  const { name, start, variable } = credential;
  return [setHeader(name, `${start === "" ? "" : `${toText(start)}+`}${toVariable(variable)}`)];
}

function toCookies({ written, credentials }: SampleRequest): readonly string[] {
  const own = written.cookies.map((pair) => pair.join("=")).join("; ");
  const secrets = listSecrets(credentials, "cookie", written.cookies).map(
    ({ start, variable }) => `${toText(start)}+${toVariable(variable)}`,
  );
  const parts = [...(own === "" ? [] : [toText(own)]), ...secrets];
  return parts.length === 0 ? [] : [setHeader("Cookie", parts.join("+"))];
}
