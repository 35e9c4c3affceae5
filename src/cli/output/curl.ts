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
  const shown = headers.filter(({ name, value }) => name !== "Accept" || value !== "*/*");
  const options = [
    ...shown.map(({ name, shown: text, value }) =>
      text === value ? `-H ${quote(`${name}: ${text}`)}` : `-H ${quoteOpen(`${name}: ${text}`)}`,
    ),
    ...data,
  ];
  const url = CREDENTIAL.test(shownPath) ? quoteOpen(base + shownPath) : quote(base + shownPath);
  return formatCurl({ method, url, options, hasBody: body !== undefined }, "line");
}

/** A curl command whose texts are quoted for the shell. */
export interface CurlCommand {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
  readonly options: readonly string[];
  readonly hasBody: boolean;
}

/** Formats a command on one line, with its URL at the end, or with an option on each line below its URL. */
export function formatCurl({ method, url, options, hasBody }: CurlCommand, layout: "line" | "lines"): string {
  const isPlain = method === "GET" && !hasBody;
  const start = method === "HEAD" ? "curl -i -I" : isPlain ? "curl -i" : `curl -i -X ${method}`;
  // Without it, curl takes brackets and braces for patterns.
  const target = /[[\]{}]/.test(url) ? `-g ${url}` : url;
  return layout === "line"
    ? [start, ...options, target].join(" ")
    : `${[`${start} ${target}`, ...options].join(" \\\n  ")}\n`;
}

/** A field of a multipart form: a text, or a file by its name or its contents. */
export type CurlField = { readonly name: string } & (
  | { readonly text: string }
  | { readonly file: string; readonly mediaType: string }
  | { readonly contents: string; readonly mediaType: string }
);

/** Writes the option for a field of a form. Within double quotes, curl takes all but two characters as they are. */
export function toFormOption(field: CurlField, toWord: (text: string) => string): string {
  const { name } = field;
  if ("text" in field) return `--form-string ${toWord(`${name}=${field.text}`)}`;
  const inQuotes = (text: string) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  const value = "file" in field ? `@${inQuotes(field.file)}` : `${inQuotes(field.contents)};filename=${name}`;
  return `-F ${toWord(`${name}=${value}${field.mediaType === "" ? "" : `;type=${field.mediaType}`}`)}`;
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
