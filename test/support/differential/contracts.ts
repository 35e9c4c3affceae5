import { readFileSync } from "node:fs";
import * as petstore from "../../../generated/v1/server.js";
import * as everyday from "../../fixtures/everyday/generated/server.js";
import * as mediaTypes from "../../fixtures/media-types/generated/server.js";
import * as parameters from "../../fixtures/parameters/generated/server.js";
import * as petlike from "../../fixtures/petlike/generated/server.js";
import * as shapes from "../../fixtures/shapes/generated/server.js";
import * as split from "../../fixtures/split/generated/server.js";
import type { GeneratedServer } from "../answer-all.js";
import type { Document } from "./contract.js";

export interface ComparedContract {
  readonly name: string;
  readonly server: GeneratedServer;
  readonly document: Document;
  /** Paths that are asked, where the others are beyond express-openapi-validator or the generator of requests. */
  readonly paths?: readonly string[];
}

/** The contracts of which both make a server. */
export const CONTRACTS: readonly ComparedContract[] = [
  compared("petstore", petstore),
  compared("petlike", petlike),
  compared("everyday", everyday),
  // A path that is not ASCII and one that ends in a slash are not routed.
  compared("split", split, ["/pets", "/other-pets", "/devices"]),
  // Objects and styles of their own are read differently on purpose (decision 0008), and so is no pair to compare.
  compared("parameters", parameters, ["/unions", "/withBody"]),
  // `{item-id}` is not routed.
  compared("shapes", shapes, ["/things"]),
  // Forms, multipart, text and bytes are read differently on purpose (decision 0007).
  compared("media-types", mediaTypes, ["/pets"]),
];

/** The fixtures that express-openapi-validator refuses to load, and why. */
export const REFUSED: Readonly<Record<string, string>> = {
  hostile: "a `$ref` in an example is data to OpenAPI, and a missing reference to it",
  keywords: "it does not find a reference into the `$defs` of a component",
  polymorphic:
    "its copy of a schema with a property called `__proto__` is another schema, which it then finds invalid",
};

/** The fixtures that are left out for another reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  codecs: "formats are converted by clients, and its operation is as plain as those of the others",
  inherited: "names that objects inherit have tests of their own",
  "openapi-3-2": "express-openapi-validator does not know OpenAPI 3.2",
  parts: "express-openapi-validator does not know OpenAPI 3.2",
  streams: "express-openapi-validator does not know items, and a stream has no end",
  "stub-only": "its one operation cannot be handled",
  webhooks: "its own operation is as plain as those of the others",
};

export const FIXTURES = new URL("../../fixtures/", import.meta.url);

/** The bundled contract of a fixture. */
export function readFixture(name: string): Document {
  return readDocument(new URL(`${name}/generated/contract.json`, FIXTURES));
}

function readDocument(url: URL): Document {
  return JSON.parse(readFileSync(url, "utf8")) as Document;
}

function compared(name: string, server: unknown, paths?: readonly string[]): ComparedContract {
  const generated = server as GeneratedServer;
  const document = readDocument(generated.contractUrl);
  return { name, server: generated, document, ...(paths !== undefined && { paths }) };
}
