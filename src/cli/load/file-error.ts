import { YamlParseError } from "@redocly/openapi-core";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
  ENOENT: "there is no such file",
  ENOTDIR: "a part of its path is no folder",
};

/** Says why a file could not be read or parsed, without its path: `there is no such file`. */
export function describeFileError(error: unknown): string {
  if (error instanceof YamlParseError) return describeSyntax(error);
  // Redocly wraps what Node says.
  const { originalError = error } = error as { readonly originalError?: unknown };
  const { code = "", message, cause } = originalError as NodeJS.ErrnoException;
  if (message.startsWith("Expected a file but received a folder")) return "it is a folder";
  // What `fetch` throws tells the reason only in its cause.
  const detail = cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
  return REASONS[code] ?? `${message}${detail}`;
}

/** What the parser says, without the path and place that it puts at the end: those are the problem's own. */
export function describeSyntax({ message }: Pick<Error, "message">): string {
  return message.replace(/ in "[^"]*" \(\d+:\d+\)$/, "").replace(/ \(\d+:\d+\)$/, "");
}
