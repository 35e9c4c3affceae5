/** What a `DATABASE_URL` means. */
export type DatabaseLocation =
  | { readonly engine: "sqlite"; /** Path as written, or `:memory:`. */ readonly file: string }
  | { readonly engine: "postgres"; /** As written; it may hold a password. */ readonly url: string };

/** What {@link parseDatabaseUrl} accepts, for messages. */
export const DATABASE_URL_FORMS = "sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE";

/**
 * Reads a `DATABASE_URL`. `sqlite:data/petstore.db` is a path relative to the working directory, taken literally.
 * @returns undefined when the text has none of the {@link DATABASE_URL_FORMS}. It may hold a password: do not print it.
 */
export function parseDatabaseUrl(url: string): DatabaseLocation | undefined {
  // Two slashes introduce a host, which a file does not have: `sqlite://data/petstore.db` would mean `/data/petstore.db`.
  const file = /^sqlite:(?!\/\/[^/])(.+)$/.exec(url)?.[1];
  if (file !== undefined) return { engine: "sqlite", file };
  return /^postgres(?:ql)?:\/\/./.test(url) ? { engine: "postgres", url } : undefined;
}
