// @thorough, 15 s: builds the sites of many edits.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { isNode, type Node } from "tenon/core/document";
import { createDocsSite, type DocumentedContract, type SiteOptions } from "../../../src/cli/docs/index.js";
import { FormerBuild } from "../../../src/cli/docs/site/former-build.js";
import { EVERYTHING } from "./contracts.js";

const FIXTURES = ["everyday", "inherited", "openapi-3-2", "polymorphic", "shapes", "streams", "webhooks"];

/** Edits of each contract, spread over it. */
const EDITS = 25;

const OPTIONS = { now: Date.parse("2026-01-01"), client: "./client.js" } satisfies SiteOptions;

function readFixture(name: string): object {
  const url = new URL(`../../fixtures/${name}/generated/contract.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as object;
}

/** A document whose parts depend on each other in every way. */
const RELATED = {
  openapi: "3.1.0",
  info: { title: "Related", version: "1" },
  paths: {
    "/old": {
      get: {
        operationId: "old",
        deprecated: true,
        "x-replaced-by": "next",
        "x-sunset": "2027-01-01",
        responses: {},
      },
    },
    "/next": {
      $ref: "#/components/pathItems/Next",
    },
    '/quoted"%7E': {
      get: {
        operationId: "quoted",
        responses: {
          200: {
            description: "x",
            links: { Next: { operationId: "next" }, Old: { operationRef: "#/paths/~1old/get" } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/A%22b" } } },
          },
        },
      },
    },
    "/zoo": {
      get: {
        operationId: "zoo",
        responses: {
          200: {
            description: "x",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Animal" } } },
          },
        },
      },
    },
  },
  components: {
    pathItems: { Next: { get: { operationId: "next", summary: "Go on", responses: {} } } },
    schemas: {
      'A"b': { $ref: "#/components/schemas/Leaf/properties/inner" },
      Leaf: { type: "object", properties: { inner: { type: "string", maxLength: 3 } } },
      Animal: {
        type: "object",
        required: ["kind"],
        properties: { kind: { type: "string" } },
        discriminator: { propertyName: "kind", mapping: { purr: "Cat" } },
      },
      Cat: { allOf: [{ $ref: "#/components/schemas/Animal" }, { $ref: "#/components/schemas/Leaf" }] },
      Dog: { allOf: [{ $ref: "#/components/schemas/Animal" }], properties: { loud: { type: "boolean" } } },
    },
  },
};

const CONTRACTS = {
  EVERYTHING,
  RELATED,
  ...Object.fromEntries(FIXTURES.map((name) => [name, readFixture(name)])),
};

/** Builds a site, or says why it cannot be. */
function build(document: object, options: SiteOptions): Readonly<Record<string, string>> | string {
  try {
    const copy = structuredClone(document) as DocumentedContract;
    return Object.fromEntries(createDocsSite(copy, options).map(({ name, text }) => [name, text]));
  } catch (error) {
    return String(error);
  }
}

/** The keys that lead to each value of a document but its version and title, which each site needs. */
function listPlaces(value: unknown, around: readonly string[] = []): readonly (readonly string[])[] {
  const members = Array.isArray(value) || isNode(value) ? Object.entries(value) : [];
  return members.flatMap(([key, member]) => {
    const place = [...around, key];
    if (/^(?:openapi|info,(?:title|version))$/.test(place.join())) return [];
    return [place, ...listPlaces(member, place)];
  });
}

/** Returns a document without a value, or with another one. */
function edit(document: object, ...place: readonly string[]): object {
  const copy = structuredClone(document) as Node;
  const key = place.at(-1) ?? "";
  const owner = place.slice(0, -1).reduce<unknown>((node, name) => (node as Node)[name], copy) as Record<
    string,
    unknown
  >;
  const value = owner[key];
  if (typeof value === "string") owner[key] = `${value}z`;
  else if (typeof value === "number") owner[key] = value + 1;
  else if (typeof value === "boolean") owner[key] = !value;
  else if (Array.isArray(owner)) owner.splice(Number(key), 1);
  else Reflect.deleteProperty(owner, key);
  return copy;
}

describe.each(Object.entries(CONTRACTS))(
  "after an edit of %s, a build that goes on from the last one",
  (_, document) => {
    const places = listPlaces(document);
    const step = Math.max(1, places.length / EDITS);
    const chosen = places.filter(
      (_place, index) => Math.floor(index / step) !== Math.floor((index - 1) / step),
    );

    test("makes the same files as one that begins anew", () => {
      const former = new FormerBuild();
      build(document, { ...OPTIONS, former });
      for (const place of chosen) {
        const edited = edit(document, ...place);
        const files = build(edited, { ...OPTIONS, former });
        expect({ place, files }).toEqual({ place, files: build(edited, OPTIONS) });
      }
    });
  },
);

describe("a build that goes on from the last one", () => {
  const listMade = (edited: object, options: SiteOptions = {}, kind = /^(?:page|schema)/) => {
    const made: string[] = [];
    class Watched extends FormerBuild {
      override reuse<Made>(key: string, make: () => Made): Made {
        return super.reuse(key, () => {
          made.push(key.replace(/ \S+$/, ""));
          return make();
        });
      }
    }
    const former = new Watched();
    build(RELATED, { ...OPTIONS, former });
    made.length = 0;
    build(edited, { ...OPTIONS, ...options, former });
    return made.filter((key) => kind.test(key));
  };

  test("makes nothing again when nothing has changed", () => {
    expect(listMade(RELATED)).toEqual([]);
  });

  test("makes what an edit concerns", () => {
    expect(listMade(edit(RELATED, "paths", "/zoo", "get", "responses", "200", "description"))).toEqual([
      "page get /zoo",
    ]);
    const leaf = ["components", "schemas", "Leaf", "properties", "inner", "maxLength"];
    const schemas = Object.keys(RELATED.components.schemas).map((name) => `schema/${name}`);
    expect(listMade(edit(RELATED, ...leaf))).toEqual(['page get /quoted"%7E', "page get /zoo", ...schemas]);
  });

  test("writes the Markdown of what an edit concerns", () => {
    const read = (edited: object) => listMade(edited, {}, /^Markdown/);
    expect(read(RELATED)).toEqual([]);
    expect(read(edit(RELATED, "components", "schemas", "Dog"))).toEqual([
      "Markdown get /zoo",
      ...["Animal", "Cat"].map((name) => `Markdown schema/${name}`),
    ]);
  });

  test("makes what links to an operation when another one has its name", () => {
    const id = ["components", "pathItems", "Next", "get", "operationId"];
    const concerned = ["page get /old", "page get /next", 'page get /quoted"%7E'];
    expect(listMade(edit(RELATED, ...id))).toEqual(concerned);
  });

  test("makes what has a sunset again, which may be past", () => {
    const concerned = ["page get /old", 'page get /quoted"%7E'];
    expect(listMade(RELATED, { now: Date.parse("2028-01-01") })).toEqual(concerned);
  });
});
