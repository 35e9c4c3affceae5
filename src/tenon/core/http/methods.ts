/** The methods that are fields of a Path Item Object; `query` since OpenAPI 3.2. */
export const HTTP_METHODS = [
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
  "query",
] as const;

/** The other methods that HTTP servers of Node.js parse, for `additionalOperations`. CONNECT is not a request for a path. */
export const ADDITIONAL_METHODS = [
  ...(["acl", "bind", "checkout", "copy", "link", "lock", "m-search", "merge", "mkactivity"] as const),
  ...(["mkcalendar", "mkcol", "move", "notify", "propfind", "proppatch", "purge", "rebind"] as const),
  ...(["report", "search", "source", "subscribe", "unbind", "unlink", "unlock", "unsubscribe"] as const),
] as const;

/** In lower case, also a method of `additionalOperations`, which is sent in upper case. */
export type HttpMethod = (typeof HTTP_METHODS)[number] | (typeof ADDITIONAL_METHODS)[number];
