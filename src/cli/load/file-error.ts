import { YamlParseError } from "@redocly/openapi-core";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
  ENOENT: "there is no such file",
  ENOTDIR: "part of its path is not a folder",
};

/** Describes why a file could not be read or parsed, without its path: `there is no such file`. */
export function describeFileError(error: unknown): string {
  if (error instanceof YamlParseError) return describeSyntax(error);
  // Redocly wraps Node's error.
  const { originalError = error } = error as { readonly originalError?: unknown };
  const { code = "", message, cause } = originalError as NodeJS.ErrnoException;
  if (message.startsWith("Expected a file but received a folder")) return "it is a folder";
  // An error of `fetch` has the reason only in its cause.
  const detail = cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
  return REASONS[code] ?? `${message}${detail}`;
}

/** Returns the parser's message without the path and position at its end, which the problem already has. */
export function describeSyntax({ message }: Pick<Error, "message">): string {
  return message.replace(/ in "[^"]*" \(\d+:\d+\)$/, "").replace(/ \(\d+:\d+\)$/, "");
}
