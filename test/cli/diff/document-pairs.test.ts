// @thorough: compares every pair of documents with a validator.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { type Edit, applyEdit } from "./edit.js";
import { listChanges } from "./pair.js";

const read = (name: string): unknown =>
  parse(readFileSync(new URL(`./pairs/${name}`, import.meta.url), "utf8"));

const base = read("base.yaml") as Node;
/** An edit of the base contract; `base` prepares the contract before it. */
type PairEdit = Edit & { readonly base?: Edit };

const pairs = read("documents.yaml") as readonly [string, PairEdit, string[], string[]][];

/** The fields of each object of OpenAPI 3.1 that decide what is sent. @see https://spec.openapis.org/oas/v3.1.0#schema */
const FIELDS: Readonly<Record<string, string>> = {
  openapi: "servers paths webhooks security",
  server: "url variables",
  variable: "enum default",
  pathItem: "get put post delete options head patch trace servers parameters",
  operation: "operationId tags parameters requestBody responses callbacks deprecated security servers",
  parameter: "name in required deprecated allowEmptyValue style explode allowReserved schema content",
  requestBody: "content required",
  mediaType: "schema encoding",
  encoding: "contentType headers style explode allowReserved",
  responses: "default 200 2XX",
  response: "headers content links",
  link: "operationId parameters",
  header: "required deprecated explode schema content",
  securityScheme: "type name in scheme flows openIdConnectUrl",
  flows: "implicit password clientCredentials authorizationCode",
  flow: "authorizationUrl tokenUrl refreshUrl scopes",
  schema: "discriminator",
  discriminator: "propertyName mapping",
};

/** Lists the names in the pointers and values of an edit. */
function* listNames(value: unknown): Iterable<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    yield* key.split("/");
    yield* listNames(member);
    if (typeof member === "string") yield* member.split("/");
  }
}

test("every field of OpenAPI that decides what is sent is edited", () => {
  const edited = new Set(pairs.flatMap(([, edit]) => [...listNames(edit)]));
  const fields = Object.values(FIELDS).flatMap((names) => names.split(" "));
  expect(fields.filter((field) => !edited.has(field))).toEqual([]);
});

describe("an edit of a contract, and its reversal", () => {
  test.each(pairs)("%s", async (_, edit, forth, back) => {
    const prepared = applyEdit(base, edit.base ?? {});
    const revision = applyEdit(prepared, edit);
    expect(await listChanges(prepared, revision)).toEqual([...forth].sort());
    expect(await listChanges(revision, prepared)).toEqual([...back].sort());
  });

  test("without an edit there is no change", async () => {
    expect(await listChanges(base, structuredClone(base))).toEqual([]);
  });
});
