/** One request of the list that every service of the migration pages is sent. */
export interface BookRequest {
  /** As the tables of the pages name it. */
  readonly name: string;
  readonly method?: string;
  /** Below `/v1`. */
  readonly path: string;
  /** The `Authorization` header. Default: the right key. */
  readonly authorization?: string;
  readonly contentType?: string;
  readonly body?: string | FormData;
}

const JSON_TYPE = "application/json";

/** Valid and not, in the order in which they are sent: what is created is there for what follows. */
export const REQUESTS: readonly BookRequest[] = [
  { name: "`GET /books`", path: "/books" },
  { name: "`GET /books?tags=war,peace`", path: "/books?tags=war,peace" },
  { name: "`GET /books?tags=war%2Cpeace`", path: "/books?tags=war%2Cpeace" },
  { name: "`GET /books?limit=51`", path: "/books?limit=51" },
  { name: "`GET /books?limit=Infinity`", path: "/books?limit=Infinity" },
  { name: "`GET /books?limit=0x2`", path: "/books?limit=0x2" },
  { name: "`GET /books?since=2026-02-30`", path: "/books?since=2026-02-30" },
  { name: "`GET /books?colour=red`", path: "/books?colour=red" },
  { name: "`GET /books` without a key", path: "/books", authorization: "" },
  { name: "`GET /books` with a wrong key", path: "/books", authorization: "Bearer wrong" },
  { name: "`GET /books/1`, whose record has a `pricePaid`", path: "/books/1" },
  { name: "`GET /books/3`, whose `year` is a string", path: "/books/3" },
  { name: "`GET /books/99`", path: "/books/99" },
  { name: "`GET /books/abc`", path: "/books/abc" },
  { name: "`HEAD /books/1`", method: "HEAD", path: "/books/1" },
  { name: "`DELETE /books/1`", method: "DELETE", path: "/books/1" },
  { name: "`GET /nothing`", path: "/nothing" },
  post("a book", '{"title":"Emma","year":1815}'),
  post("an undeclared property `isbn`", '{"title":"Emma","year":1815,"isbn":"1"}'),
  post("`year` as a string", '{"title":"Emma","year":"1815"}'),
  post("no `title`", '{"year":1815}'),
  post("truncated JSON", '{"title":'),
  post("`text/plain`", "Emma", "text/plain"),
  post("a handler that throws", '{"title":"Crash","year":1815}'),
  { name: "`PUT /books/1/cover` with a file", method: "PUT", path: "/books/1/cover", body: cover() },
];

function post(name: string, body: string, contentType = JSON_TYPE): BookRequest {
  return { name: `\`POST /books\`: ${name}`, method: "POST", path: "/books", contentType, body };
}

function cover(): FormData {
  const form = new FormData();
  form.set("caption", "Front");
  form.set("image", new Blob([new Uint8Array(9)], { type: "image/png" }), "front.png");
  return form;
}

/**
 * Sends it, and says what came back as the tables do: the status, and the body; of a list of books the IDs, of an error its
 * message.
 */
export async function answer(baseUrl: string, request: BookRequest): Promise<string> {
  const { method = "GET", path, authorization = "Bearer secret", contentType, body } = request;
  const headers = new Headers();
  if (authorization !== "") headers.set("Authorization", authorization);
  if (contentType !== undefined) headers.set("Content-Type", contentType);
  const response = await fetch(`${baseUrl}/v1${path}`, { method, headers, ...(body && { body }) });
  return `${response.status} ${toText(await response.text())}`.trim();
}

function toText(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  if (Array.isArray(body)) {
    return body.length === 0 ? "no IDs" : `IDs ${body.map(({ id }: { id: number }) => id).join(", ")}`;
  }
  return toMessage(body) ?? text;
}

function toMessage(body: unknown): string | undefined {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : undefined;
}
