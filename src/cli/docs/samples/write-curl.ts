import { toMediaKind } from "tenon/core/http";
import { type CurlField, formatCurl, toFormOption } from "../../output/curl.js";
import { quoteForShell } from "../../output/shell.js";
import type { SampleCredential, SampleText } from "./sample-credentials.js";
import { type SampleBody, type SamplePart, type SampleRequest, toCookies, toUrl } from "./sample-request.js";

/**
 * Writes the request as one command of a POSIX shell, which reads credentials from environment variables.
 * @returns undefined where curl would read more from a part of a form than its name and type.
 */
export function toCurl(request: SampleRequest, address: string): string | undefined {
  const { operation, written, body, credentials } = request;
  if (body !== undefined && typeof body.sent !== "string" && !body.sent.every(isPlainPart)) return undefined;
  const cookies = toWords(toCookies(request));
  const options = [
    ...credentials.flatMap(toCredential),
    ...written.headers.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(cookies === "" ? [] : [`-b ${cookies}`]),
    ...(body === undefined ? [] : toBody(body)),
  ];
  const method = operation.method.toUpperCase();
  const url = toWords(toUrl(request, address));
  return formatCurl({ method, url, options, hasBody: body !== undefined }, "lines");
}

/** Quotes a text, and each variable with the text before it. */
function toWords(text: SampleText): string {
  const words = text.map((part, index) => {
    const next = text[index + 1];
    if (typeof part !== "string") return "";
    return typeof next === "object" ? toWord(part, next.variable) : quoteForShell(part);
  });
  return words.join("");
}

/** The shell replaces the variable. Both are within double quotes where no other character means anything there. */
function toWord(start: string, variable: string): string {
  return /^[\w ,.:;=?&%/-]*$/.test(start)
    ? `"${start}$${variable}"`
    : `${quoteForShell(start)}"$${variable}"`;
}

function toCredential(credential: SampleCredential): readonly string[] {
  const [first, second] = credential.variables;
  if (credential.kind === "secret")
    return credential.in === "header"
      ? [`-H ${toWord(`${credential.name}: ${credential.start}`, first)}`]
      : [];
  return credential.kind === "basic"
    ? [`-u "$${first}:$${second}"`]
    : [`--cert "$${first}"`, `--key "$${second}"`];
}

/** A body that is longer than this is written with a member or field a line. */
const MAX_LINE = 40;

function toBody({ mediaType, value, sent }: SampleBody): readonly string[] {
  if (typeof sent !== "string") return sent.map((part) => toFormOption(toField(part), quoteForShell));
  const kind = sent.length > MAX_LINE ? toMediaKind(mediaType) : undefined;
  // curl joins several texts by `&`.
  const texts =
    kind === "json" ? [JSON.stringify(value, null, 2)] : kind === "form" ? sent.split("&") : [sent];
  return [
    `-H ${quoteForShell(`Content-Type: ${mediaType}`)}`,
    ...texts.map((text) => `--data-raw ${quoteForShell(text)}`),
  ];
}

function toField({ name, text, mediaType }: SamplePart): CurlField {
  return mediaType === undefined ? { name, text } : { name, contents: text, mediaType };
}

/** To `-F`, "a=@/etc/passwd" is the file of that name, and "image/png;headers=@key" reads another one. */
function isPlainPart({ name, mediaType }: SamplePart): boolean {
  return mediaType === undefined
    ? !name.includes("=")
    : /^[^"';=,\\]+$/.test(name) && /^[\w!#$&^.+/-]+$/.test(mediaType);
}
