/** A client that the guide migrates from. */
export interface MigratedClient {
  /** Heading of its column in the table of the page. */
  readonly column: string;
  /** Name above its code in the page. */
  readonly name: string;
  /** Parameter of the function that the page's code is the body of. */
  readonly parameter: string;
  /** A module that exports `calls`, and declares what the page's code uses. */
  readonly code: string;
}

const ZOD = `
const Book = z.object({ id: z.number().int(), title: z.string(), year: z.number().int(), language: z.string().optional() });
const Failure = z.object({ message: z.string() });
const Cover = z.object({ bytes: z.number().int(), caption: z.string().optional() });
`;

/** In the order of the page. Each module has `service.ts`, the types of the contract and the client of Hey API beside it. */
export const MIGRATED_CLIENTS: readonly MigratedClient[] = [
  {
    column: "openapi-fetch 0.17",
    name: "openapi-fetch",
    parameter: "tags: string[]",
    code: `
import createClient from "openapi-fetch";
import type { paths } from "./types.js";
import { baseUrl, key } from "./service.js";
const own = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
export const calls = {
  list: (tags: string[]) => own.GET("/books", { params: { query: { tags, limit: 1 } } }),
  get: (bookId: number) => own.GET("/books/{bookId}", { params: { path: { bookId } } }),
  cover: (image: Blob) => own.PUT("/books/{bookId}/cover", { params: { path: { bookId: 1 } }, body: { image, caption: "Front" } }),
};
`,
  },
  {
    column: "Hey API 0.95",
    name: "Hey API",
    parameter: "tags: string[]",
    code: `
import { client } from "./hey/client.gen.js";
import { getBook, listBooks, putCover } from "./hey/sdk.gen.js";
import { baseUrl, key } from "./service.js";
client.setConfig({ baseUrl, auth: () => key });
export const calls = {
  list: (tags: string[]) => listBooks({ query: { tags, limit: 1 } }),
  get: (bookId: number) => getBook({ path: { bookId } }),
  cover: (image: Blob) => putCover({ path: { bookId: 1 }, body: { image, caption: "Front" } }),
};
`,
  },
  {
    column: "ts-rest 3.52",
    name: "ts-rest",
    parameter: "bookId: number",
    code: `
import { initClient, initContract } from "@ts-rest/core";
import { z } from "zod";
import { baseUrl, key } from "./service.js";
${ZOD}
const responses = { 400: Failure, 404: Failure, 415: Failure };
const contract = initContract().router({
  listBooks: {
    method: "GET",
    path: "/books",
    query: z.object({ tags: z.array(z.string()).optional(), limit: z.number().optional() }),
    responses: { 200: z.array(Book), ...responses },
  },
  getBook: { method: "GET", path: "/books/:bookId", pathParams: z.object({ bookId: z.coerce.number() }), responses: { 200: Book, ...responses } },
  putCover: {
    method: "PUT",
    path: "/books/:bookId/cover",
    pathParams: z.object({ bookId: z.coerce.number() }),
    contentType: "multipart/form-data",
    body: z.object({ image: z.instanceof(Blob), caption: z.string().optional() }),
    responses: { 200: Cover, ...responses },
  },
});
const own = initClient(contract, { baseUrl, baseHeaders: { authorization: \`Bearer \${key}\` } });
export const calls = {
  list: (tags: string[]) => own.listBooks({ query: { tags, limit: 1 } }),
  get: (bookId: number) => own.getBook({ params: { bookId } }),
  cover: (image: Blob) => own.putCover({ params: { bookId: 1 }, body: { image, caption: "Front" } }),
};
`,
  },
  {
    column: "Zodios 10.9",
    name: "Zodios",
    parameter: "bookId: number",
    code: `
import { Zodios, makeApi } from "@zodios/core";
import { isAxiosError } from "axios";
import { z } from "zod";
import { baseUrl, key } from "./service.js";
${ZOD}
const endpoints = makeApi([
  {
    method: "get",
    path: "/books",
    alias: "listBooks",
    parameters: [
      { name: "tags", type: "Query", schema: z.array(z.string()).optional() },
      { name: "limit", type: "Query", schema: z.number().optional() },
    ],
    response: z.array(Book),
  },
  { method: "get", path: "/books/:bookId", alias: "getBook", response: Book },
  {
    method: "put",
    path: "/books/:bookId/cover",
    alias: "putCover",
    requestFormat: "form-data",
    parameters: [
      { name: "body", type: "Body", schema: z.object({ image: z.instanceof(Blob), caption: z.string().optional() }) },
    ],
    response: Cover,
  },
]);
const api = new Zodios(baseUrl, endpoints, { axiosConfig: { headers: { Authorization: \`Bearer \${key}\` } } });
export const calls = {
  list: (tags: string[]) => api.listBooks({ queries: { tags, limit: 1 } }),
  get: (bookId: number) => api.getBook({ params: { bookId } }),
  cover: (image: Blob) => api.putCover({ image, caption: "Front" }, { params: { bookId: 1 } }),
};
`,
  },
  {
    column: "axios 1.21",
    name: "axios",
    parameter: "bookId: number",
    code: `
import globalAxios, { isAxiosError } from "axios";
import { baseUrl, key } from "./service.js";
interface Book { readonly id: number; readonly title: string }
const axios = globalAxios.create({ baseURL: baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
export const calls = {
  list: (tags: string[]) => axios.get<Book[]>("/books", { params: { tags, limit: 1 } }),
  get: (bookId: number) => axios.get<Book>(\`/books/\${bookId}\`),
  cover: (image: Blob) => axios.putForm("/books/1/cover", { image, caption: "Front" }),
};
`,
  },
];
