// @thorough, 40 s: generates, compiles and starts 38 documents.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { tryContract } from "../../scripts/torture/try-contract.js";

const FOLDER = fileURLToPath(new URL("specification-3.2/", import.meta.url));

/** The documents that cannot be served, and the reasons. */
const REFUSED: Readonly<Record<string, string>> = {
  "operation-object-example.yaml":
    "13:17 tenon/path-parameter-declared Expected `{petId}` in `/pets/{id}`; the template has no such name.",
  "parameter-object-examples.yaml":
    "19:15 tenon/path-parameter-declared Expected `{usernames}` in `/user/{username}`; the template has no such name.",
  "security-scheme-object-examples.yaml":
    '69:7 reference-forbidden Cannot resolve $ref "https://example.com/api/openapi.json#/components/externalDocs/ThingExternalDocs": x-tenon.referenceHosts does not contain the host example.com',
};

const documents = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));

test("each refused document is among the specification's", () => {
  expect(documents).toEqual(expect.arrayContaining(Object.keys(REFUSED)));
});

test.each(documents)("%s generates, compiles and serves, or is refused with its position", async (name) => {
  const { outcome, problem } = await tryContract(FOLDER + name);
  const reason = REFUSED[name];
  expect([outcome, problem]).toEqual(
    reason === undefined ? ["ok", undefined] : ["refused", `${name}:${reason}`],
  );
});
