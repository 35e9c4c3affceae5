import express, { type Express } from "express";
import { authenticators, errors } from "../books/app.js";
import { createClient } from "../books/generated/client.js";
import { type Book, createPartialApi, type NewBookRequest } from "../books/generated/server.js";
import type { Callers } from "../books/handlers.js";

/** What the functions of a generated `services/BooksService.js` resolve to. */
interface Outcome<Payload> {
  readonly code: number;
  readonly payload: Payload;
}

export interface BooksService {
  getBook(parameters: { bookId: number }): Promise<Outcome<Book>>;
  createBook(parameters: { newBook: NewBookRequest }): Promise<Outcome<Book>>;
}

/** Tenon is around the generator's services, which stay as they are. */
export function createFirstStep(service: BooksService): Express {
  const app = express();
  app.use(
    createPartialApi<object, Callers>({
      ...errors,
      authenticators,
      handlers: {
        async getBook({ path: { bookId } }, reply) {
          try {
            return reply[200]((await service.getBook({ bookId })).payload);
          } catch (refusal) {
            if ((refusal as { code?: unknown }).code !== 404) throw refusal;
            return reply[404]({ message: "No such book" });
          }
        },
        async createBook({ body }, reply) {
          return reply[201]((await service.createBook({ newBook: body })).payload);
        },
      },
      unimplemented: "501",
    }),
  );
  return app;
}

/** The title of a book; undefined where there is no such book. */
export async function readTitle(baseUrl: string, key: string, bookId: number): Promise<string | undefined> {
  const client = createClient({ baseUrl, credentials: { key } });
  const result = await client.getBook({ path: { bookId } });
  if (result.status === 200) return result.data.title;
  if (result.status === 404) return undefined;
  throw new Error(`The service answered ${result.status}`);
}
