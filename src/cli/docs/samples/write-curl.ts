import { toMediaKind } from "tenon/core/http";
import { type CurlField, formatCurl, toFormOption } from "../../output/curl.js";
import { quoteForShell } from "../../output/shell.js";
import { listSecrets, type SampleCredential, type Secret } from "./sample-credentials.js";
import { type SampleBody, type SamplePart, type SampleRequest, toUrl } from "./sample-request.js";

/**
 * Writes the request as one command of a POSIX shell, which reads credentials from environment variables.
 * @returns undefined where curl would read more from a part of a form than its name and type.
 */
export function toCurl(request: SampleRequest, address: string): string | undefined {
  const { operation, written, body, credentials } = request;
  if (body !== undefined && typeof body.sent !== "string" && !body.sent.every(isPlainPart)) return undefined;
  const options = [
    ...credentials.flatMap(toCredential),
    ...written.headers.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...toCookies(request),
    ...(body === undefined ? [] : toBody(body)),
  ];
  const method = operation.method.toUpperCase();
  const secrets = listSecrets(credentials, "query", written.query).map(toWord);
  const url = [quoteForShell(toUrl(request, address)), ...secrets].join("");
  return formatCurl({ method, url, options, hasBody: body !== undefined }, "lines");
}

/** Text and a variable that the shell replaces; both within double quotes where no other character means anything there. */
function toWord({ start, variable }: Pick<Secret, "start" | "variable">): string {
  return /^[\w ,.:;=?&%/-]*$/.test(start)
    ? `"${start}$${variable}"`
    : `${quoteForShell(start)}"$${variable}"`;
}

function toCredential(credential: SampleCredential): readonly string[] {
  switch (credential.kind) {
    case "basic":
      return [`-u "$${credential.username}:$${credential.password}"`];
    case "certificate":
      return [`--cert "$${credential.certificate}"`, `--key "$${credential.privateKey}"`];
    case "secret":
      if (credential.in !== "header") return [];
      return [`-H ${toWord({ ...credential, start: `${credential.name}: ${credential.start}` })}`];
  }
}

function toCookies({ written, credentials }: SampleRequest): readonly string[] {
  const own = written.cookies.map((pair) => pair.join("=")).join("; ");
  const secrets = listSecrets(credentials, "cookie", written.cookies).map(toWord);
  const words = [...(own === "" ? [] : [quoteForShell(own)]), ...secrets];
  return words.length === 0 ? [] : [`-b ${words.join("")}`];
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
