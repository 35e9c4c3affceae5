import { quoteForShell } from "./shell.js";

/** A request as a curl line shows it: with variables of the shell in place of credentials. */
export interface CurlRequest {
  readonly method: string;
  /** Below the base address, with its query. */
  readonly shownPath: string;
  readonly headers: readonly { readonly name: string; readonly value: string; readonly shown: string }[];
  readonly body?: Uint8Array<ArrayBuffer>;
}

/**
 * Writes the line that sends a request from a POSIX shell (bash, where its body has control characters):
 * `curl -i -X POST -H "Authorization: Bearer $TENON_AUTH_BEARER_AUTH" -d '{}' 'http://localhost:3000/v1/pets'`
 * @param base Address that the contract's paths are relative to, without a trailing slash.
 * @param data Options for the body. Default: the body as text.
 */
export function toCurl(
  { method, shownPath, headers, body }: CurlRequest,
  base: string,
  data: readonly string[] = body === undefined ? [] : [`--data-raw ${quote(new TextDecoder().decode(body))}`],
): string {
  const parts = ["curl -i"];
  if (method === "HEAD") parts.push("-I");
  else if (method !== "GET" || body !== undefined) parts.push(`-X ${method}`);
  for (const { name, shown, value } of headers) {
    if (name === "Accept" && value === "*/*") continue;
    parts.push(`-H ${shown === value ? quote(`${name}: ${shown}`) : quoteOpen(`${name}: ${shown}`)}`);
  }
  parts.push(...data);
  // Without it, curl takes brackets and braces for patterns.
  if (/[[\]{}]/.test(shownPath)) parts.push("-g");
  parts.push(CREDENTIAL.test(shownPath) ? quoteOpen(base + shownPath) : quote(base + shownPath));
  return parts.join(" ");
}

/** Quotes a text as one word of a shell, with escapes of bash for control characters. */
export function quote(text: string): string {
  if (!/\p{Cc}/u.test(text)) return quoteForShell(text);
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replaceAll(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `$'${escaped}'`;
}

/** The variable of a credential, alone or in Base64. */
const CREDENTIAL = /\$TENON_AUTH_[A-Z\d_]+|\$\(printf %s "\$TENON_AUTH_[A-Z\d_]+" \| base64\)/;

/** Quotes a text in which the shell replaces credentials and nothing else: a contract may be hostile. */
function quoteOpen(text: string): string {
  const [first = "", ...others] = text.split(new RegExp(`(${CREDENTIAL.source})`));
  const escape = (part: string) => part.replaceAll(/[\\"`$]/g, "\\$&");
  return `"${escape(first)}${others.map((part, index) => (index % 2 === 0 ? part : escape(part))).join("")}"`;
}
