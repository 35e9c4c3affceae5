import { type Client, createClient } from "./books/generated/client.js";

export function connect(baseUrl: string): Client {
  return createClient({ baseUrl, credentials: { key: "secret" } });
}

/** The titles of the books with all of these tags. */
export async function listTitles(client: Client, tags: string[]): Promise<readonly string[]> {
  const books = await client.listBooks({ query: { tags } }).orThrow();
  return books.map(({ title }) => title);
}

/** Undefined for an unknown book. */
export async function findTitle(client: Client, bookId: number): Promise<string | undefined> {
  const result = await client.getBook({ path: { bookId } });
  if (result.status === 200) return result.data.title;
  if (result.status === 404) return undefined;
  throw new Error(result.error.message);
}

export async function uploadCover(client: Client, bookId: number, image: Blob): Promise<number> {
  const { bytes } = await client.putCover({ path: { bookId }, body: { image } }).orThrow();
  return bytes;
}
