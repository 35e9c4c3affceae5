import { toMediaKind } from "tenon/core/http";
import type { SampleText } from "./sample-credentials.js";
import { listHeaders, type SampleBody, type SampleRequest, toUrl } from "./sample-request.js";

/** Writes the request as a program of Go, with its standard library. */
export function toGo(request: SampleRequest, address: string): string | undefined {
  const { operation, body, credentials } = request;
  // A certificate needs a client of its own, and parts of a form a writer: neither is a sample that is read at a glance.
  if (credentials.some(({ kind }) => kind === "certificate")) return undefined;
  if (body !== undefined && typeof body.sent !== "string") return undefined;
  const url = toUrl(request, address);
  const lines = [
    ...credentials.flatMap(({ kind, variables }) =>
      kind === "basic" ? [`request.SetBasicAuth(${variables.map(toVariable).join(", ")})`] : [],
    ),
    ...listHeaders(request).map(
      ([name, text]) => `request.Header.Set(${toText(name)}, ${toSum(text, toVariable)})`,
    ),
  ];
  const reader = body ? `strings.NewReader(${toBodyText(body)})` : "nil";
  const usesVariables = credentials.length > 0;
  const imports = [
    ...["fmt", "io", "net/http"],
    ...(url.length > 1 ? ["net/url"] : []),
    ...(usesVariables ? ["os"] : []),
    ...(body === undefined ? [] : ["strings"]),
  ];
  return `package main

import (
${imports.map((name) => `\t${toText(name)}\n`).join("")})

func main() {
	request, err := http.NewRequest(${toText(operation.method.toUpperCase())}, ${toSum(url, (name) => `url.QueryEscape(${toVariable(name)})`)}, ${reader})
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

function toSum(text: SampleText, toCode: (variable: string) => string): string {
  return text.map((part) => (typeof part === "string" ? toText(part) : toCode(part.variable))).join("+");
}
