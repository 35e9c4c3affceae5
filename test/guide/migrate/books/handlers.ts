import type { Book, Handlers } from "./generated/server.js";

/** The caller: the result of the authenticator of the scheme `key`. */
export interface Callers {
  readonly key: { readonly name: string };
}

/** As a database might have it: with a column that is nobody's business, and a row of bad data. */
interface Row extends Book {
  readonly tags: readonly string[];
  readonly pricePaid: number;
}

const ROWS: readonly Row[] = [
  { id: 1, title: "War and Peace", year: 1867, language: "ru", tags: ["war", "peace"], pricePaid: 12 },
  { id: 2, title: "Persuasion", year: 1817, language: "en", tags: [], pricePaid: 9 },
  {
    id: 3,
    title: "Oroonoko",
    year: "about 1688" as unknown as number,
    language: "en",
    tags: [],
    pricePaid: 30,
  },
];

/** The service of all pages: only what is around it differs. */
export function createHandlers(): Handlers<object, Callers> {
  const books: (Book & Partial<Row>)[] = [...ROWS];
  return {
    listBooks({ query: { limit, after = 0, tags = [] } }, reply) {
      const found = books.filter((book) => book.id > after && tags.every((tag) => book.tags?.includes(tag)));
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const isLast = page.length === found.length || last === undefined;
      return reply[200](page, { headers: isLast ? {} : { "X-Next": last.id } });
    },

    createBook({ body }, reply) {
      if (body.title === "Crash") throw new Error("connect ECONNREFUSED 10.0.0.7:5432");
      const book = { id: books.length + 1, ...body };
      books.push(book);
      return reply[201](book);
    },

    getBook({ path: { bookId } }, reply) {
      const book = books.find(({ id }) => id === bookId);
      return book === undefined ? reply[404]({ message: "No such book" }) : reply[200](book);
    },

    putCover({ body: { image, caption } }, reply) {
      return reply[200]({ bytes: image.bytes.length, ...(caption !== undefined && { caption }) });
    },
  };
}
