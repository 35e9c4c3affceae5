import { describe, expect, test } from "@jest/globals";
import { at, deepAt, descriptionsIn } from "./document.js";

/*
 * What the interface document of the Pet Store Service states, row by row, so that no edit of the contract loses a fact of it; and
 * what it leaves open, so that no decision is passed off as one of its facts.
 */

const MARK = "**Decision of this service:** ";
const OPERATIONS = {
  listPets: ["paths", "/pets", "get"],
  createPet: ["paths", "/pets", "post"],
  getPet: ["paths", "/pets/{petId}", "get"],
  listOrders: ["paths", "/store/orders", "get"],
} as const;

type OperationId = keyof typeof OPERATIONS;

function operation(id: OperationId, ...keys: readonly string[]): unknown {
  return at(...OPERATIONS[id], ...keys);
}

function parameter(id: OperationId, name: string): Readonly<Record<string, unknown>> {
  const parameters = deepAt(...OPERATIONS[id], "parameters") as
    Readonly<Record<string, unknown>>[] | undefined;
  const found = parameters?.filter((candidate) => candidate["name"] === name) ?? [];
  expect(found).toHaveLength(1);
  return found[0] ?? {};
}

/** Name of the component schema that the node refers to. */
function schemaName(...keys: readonly string[]): unknown {
  const { schema } = at(...keys) as { schema?: { $ref?: string } };
  return schema?.$ref?.replace("#/components/schemas/", "");
}

const JSON_CONTENT = ["content", "application/json"];

describe("purpose and base address", () => {
  test("the contract is OpenAPI 3.1", () => {
    expect(at("openapi")).toMatch(/^3\.1\./);
  });
  test("the interface description version is 1.0.0", () => {
    expect(at("info", "version")).toBe("1.0.0");
  });
  test.each([
    { index: "0", variable: "base_url", environment: "Production" },
    { index: "1", variable: "staging_base_url", environment: "Staging" },
  ])("the address of $environment is {$variable} and ends in /v1", ({ index, variable, environment }) => {
    expect(at("servers", index, "url")).toBe(`{${variable}}`);
    expect(at("servers", index, "description")).toBe(environment);
    const address = new URL(String(at("servers", index, "variables", variable, "default")));
    expect(address.pathname).toBe("/v1");
    expect(address.hostname).toMatch(/\.example$/);
  });
  test("there are no further servers", () => {
    expect(at("servers")).toHaveLength(2);
  });
  test("the paths are relative to the base address, and there are no others", () => {
    expect(Object.keys(at("paths") as object)).toEqual(["/pets", "/pets/{petId}", "/store/orders"]);
  });
  test.each(Object.entries(OPERATIONS))("%s is an operation of its path and method", (id, keys) => {
    expect(at(...keys, "operationId")).toBe(id);
  });
  test.each([
    { path: "/pets", methods: ["get", "post"] },
    { path: "/pets/{petId}", methods: ["get"] },
    { path: "/store/orders", methods: ["get"] },
  ])("$path has the methods $methods and no others", ({ path, methods }) => {
    expect(Object.keys(at("paths", path) as object)).toEqual(methods);
  });
});

describe("resources and their fields", () => {
  test("the schemas are PetStatus, NewPet, Pet, Pets and Error", () => {
    expect(Object.keys(at("components", "schemas") as object)).toEqual([
      "PetStatus",
      "NewPet",
      "Pet",
      "Pets",
      "Error",
    ]);
  });
  test("PetStatus is one of available, pending, sold", () => {
    expect(at("components", "schemas", "PetStatus")).toMatchObject({
      type: "string",
      enum: ["available", "pending", "sold"],
    });
  });

  const newPet = [
    { schema: "NewPet", field: "name", type: "string", required: true, meaning: "The animal's name" },
    {
      schema: "NewPet",
      field: "categoryId",
      type: "integer",
      format: "int64",
      required: true,
      meaning: "ID of the category the animal belongs to",
    },
    { schema: "NewPet", field: "status", type: "string", required: false, meaning: "Availability status" },
  ];
  const fields = [
    ...newPet,
    ...newPet.map((field) => ({ ...field, schema: "Pet" })),
    {
      schema: "Pet",
      field: "id",
      type: "integer",
      format: "int64",
      required: true,
      meaning: "Unique identifier assigned by the service on creation",
    },
    {
      schema: "Error",
      field: "code",
      type: "string",
      required: true,
      meaning: "Machine-readable error code",
    },
    {
      schema: "Error",
      field: "message",
      type: "string",
      required: true,
      meaning: "Human-readable description",
    },
    { schema: "Error", field: "status", type: "integer", required: true, meaning: "The HTTP status code" },
  ];
  test.each(fields)(
    "$schema.$field is $type, required: $required",
    ({ schema, field, type, format, required, meaning }) => {
      const property = at("components", "schemas", schema, "properties", field) as Readonly<
        Record<string, unknown>
      >;
      expect(property["type"]).toBe(type);
      expect(property["format"]).toBe(format);
      expect(property["description"]).toMatch(new RegExp(`^${meaning}\\.(\n|$)`));
      expect((at("components", "schemas", schema, "required") as string[]).includes(field)).toBe(required);
    },
  );
  test.each([{ schema: "NewPet" }, { schema: "Pet" }])("$schema.status is a PetStatus", ({ schema }) => {
    expect(deepAt("components", "schemas", schema, "properties", "status")).toMatchObject({
      enum: ["available", "pending", "sold"],
    });
  });
  test.each([{ schema: "NewPet" }, { schema: "Pet" }, { schema: "Error" }])(
    "$schema is an object that has these fields and no others, unbounded",
    ({ schema }) => {
      const names = fields.filter((field) => field.schema === schema).map(({ field }) => field);
      expect(at("components", "schemas", schema, "type")).toBe("object");
      expect(Object.keys(at("components", "schemas", schema, "properties") as object).sort()).toEqual(
        names.sort(),
      );
      // Length limits of `name`, the values of `code` and bounds of the integers are not shown.
      expect(JSON.stringify(at("components", "schemas", schema))).not.toMatch(
        /"(?:minLength|maxLength|pattern|minimum|maximum|enum|default|additionalProperties)":/,
      );
    },
  );
  test("Pets is an array of Pet", () => {
    expect(at("components", "schemas", "Pets")).toMatchObject({
      type: "array",
      items: { $ref: "#/components/schemas/Pet" },
    });
  });
  test("there is no category resource", () => {
    expect(JSON.stringify([at("paths"), at("components", "schemas")])).not.toMatch(/"Category|categories/);
  });
});

describe("listPets", () => {
  test("limit is an optional integer from 1 to 100, 20 by default", () => {
    const { required = false, schema, ...limit } = parameter("listPets", "limit");
    expect(required).toBe(false);
    expect(schema).toEqual({ type: "integer", minimum: 1, maximum: 100, default: 20 });
    expect(limit).toMatchObject({ in: "query", description: "Maximum number of animals returned." });
  });
  test("status is an optional PetStatus", () => {
    const { required = false, schema, ...status } = parameter("listPets", "status");
    expect(required).toBe(false);
    expect(schema).toMatchObject({ enum: ["available", "pending", "sold"] });
    expect(schema).not.toHaveProperty("default");
    expect(status).toMatchObject({ in: "query", description: "Filter by availability status." });
  });
  test("it has no request body", () => {
    expect(operation("listPets", "requestBody")).toBeUndefined();
  });
  test("200 is Pets, described as a paginated list", () => {
    expect(schemaName(...OPERATIONS.listPets, "responses", "200", ...JSON_CONTENT)).toBe("Pets");
    expect(operation("listPets", "description")).toContain("a paginated list");
  });
  test("when limit is omitted, at most 20 animals are returned", () => {
    expect(operation("listPets", "description")).toMatch(
      /When `limit` is omitted, at most 20 animals are returned\./,
    );
  });
  test("when status is given, only animals with that status are returned", () => {
    expect(operation("listPets", "description")).toMatch(
      /When `status` is\s+given, only animals with that status/,
    );
  });
});

describe("createPet", () => {
  test("the body is required, application/json only, and a NewPet", () => {
    expect(operation("createPet", "requestBody", "required")).toBe(true);
    expect(Object.keys(operation("createPet", "requestBody", "content") as object)).toEqual([
      "application/json",
    ]);
    expect(schemaName(...OPERATIONS.createPet, "requestBody", ...JSON_CONTENT)).toBe("NewPet");
  });
  test("201 is the created Pet including the assigned id, and there is no 200", () => {
    expect(schemaName(...OPERATIONS.createPet, "responses", "201", ...JSON_CONTENT)).toBe("Pet");
    expect(operation("createPet", "responses", "201", "description")).toContain(
      "including the assigned `id`",
    );
    expect(operation("createPet", "responses", "200")).toBeUndefined();
  });
});

describe("getPet", () => {
  test("petId is a required int64 in the path", () => {
    const petId = parameter("getPet", "petId");
    expect(petId).toMatchObject({ in: "path", required: true, schema: { type: "integer", format: "int64" } });
    expect(petId["schema"]).toEqual({ type: "integer", format: "int64" });
    expect(petId["description"]).toBe("The ID of the animal.");
  });
  test("it has no request body", () => {
    expect(operation("getPet", "requestBody")).toBeUndefined();
  });
  test("200 is a Pet", () => {
    expect(schemaName(...OPERATIONS.getPet, "responses", "200", ...JSON_CONTENT)).toBe("Pet");
  });
  test("it is deprecated, and no other operation is", () => {
    const deprecated = Object.values(OPERATIONS).filter((keys) => at(...keys, "deprecated") !== undefined);
    expect(operation("getPet", "deprecated")).toBe(true);
    expect(deprecated).toEqual([OPERATIONS.getPet]);
  });
  test("it is removed on 5 December 2030", () => {
    expect(operation("getPet", "x-sunset")).toBe("2030-12-05");
    expect(operation("getPet", "description")).toMatch(/deprecated and is removed on 5 December 2030/);
    expect(at("info", "description")).toMatch(/deprecated and is removed on 5 December 2030/);
  });
  test("the replacement is GET /pets with a status filter", () => {
    expect(operation("getPet", "x-replaced-by")).toBe("listPets");
    expect(operation("getPet", "description")).toMatch(
      /replacement is `GET \/pets` with a `status`\s+filter/,
    );
  });
});

describe("listOrders", () => {
  test("only its existence is stated: no parameters, no body, no success", () => {
    expect(operation("listOrders", "parameters")).toBeUndefined();
    expect(operation("listOrders", "requestBody")).toBeUndefined();
    expect(
      Object.keys(operation("listOrders", "responses") as object).filter((status) => status.startsWith("2")),
    ).toEqual([]);
  });
});

describe("authentication", () => {
  test("the only scheme is HTTP bearer, called bearerAuth", () => {
    expect(Object.keys(at("components", "securitySchemes") as object)).toEqual(["bearerAuth"]);
    expect(at("components", "securitySchemes", "bearerAuth")).toMatchObject({
      type: "http",
      scheme: "bearer",
    });
  });
  test("the key goes in the form Authorization: Bearer <API_KEY>", () => {
    expect(at("components", "securitySchemes", "bearerAuth", "description")).toContain(
      "`Authorization: Bearer <API_KEY>`",
    );
  });
  test.each(Object.keys(OPERATIONS) as OperationId[])("%s requires the bearer credential", (id) => {
    expect(operation(id, "security") ?? at("security")).toEqual([{ bearerAuth: [] }]);
  });
  test("requests with a body carry Content-Type: application/json", () => {
    expect(at("info", "description")).toContain("`Content-Type: application/json`");
  });
});

describe("errors", () => {
  test.each([
    {
      id: "createPet",
      status: "400",
      condition: "body is missing required fields or contains invalid values",
    },
    { id: "listPets", status: "401", condition: "API key is missing or invalid" },
    { id: "createPet", status: "401", condition: "API key is missing or invalid" },
    { id: "getPet", status: "401", condition: "API key is missing or invalid" },
    { id: "getPet", status: "404", condition: "requested resource could not be found" },
  ] as const)("$id answers $status when the $condition", ({ id, status, condition }) => {
    expect(operation(id, "responses", status, "description")).toMatch(new RegExp(`^The ${condition}\\.`));
  });

  const errors = (Object.keys(OPERATIONS) as OperationId[]).flatMap((id) =>
    Object.keys(operation(id, "responses") as object)
      .filter((status) => !status.startsWith("2"))
      .map((status) => ({ id, status })),
  );
  test.each(errors)(
    "$id $status carries the Error body and examples whose status is $status",
    ({ id, status }) => {
      const content = [...OPERATIONS[id], "responses", status, "content"];
      expect(Object.keys(at(...content) as object)).toEqual(["application/json"]);
      expect(schemaName(...content, "application/json")).toBe("Error");
      const examples = Object.values(
        deepAt(...content, "application/json", "examples") as Record<string, unknown>,
      );
      expect(examples).not.toEqual([]);
      for (const example of examples) expect(example).toMatchObject({ value: { status: Number(status) } });
    },
  );
});

describe("decisions: what the interface document does not show is marked", () => {
  test.each([
    { id: "listPets", statuses: ["200", "400", "401", "406", "429", "500", "503"] },
    { id: "createPet", statuses: ["201", "400", "401", "406", "413", "415", "422", "429", "500", "503"] },
    { id: "getPet", statuses: ["200", "400", "401", "404", "406", "410", "429", "500", "503"] },
    { id: "listOrders", statuses: ["401", "429", "500", "501", "503"] },
  ] as const)("$id declares $statuses", ({ id, statuses }) => {
    expect(Object.keys(operation(id, "responses") as object)).toEqual(statuses);
  });

  const shown: Readonly<Record<OperationId, readonly string[]>> = {
    listPets: ["200", "401"],
    createPet: ["201", "400", "401"],
    getPet: ["200", "401", "404"],
    // Stated of every operation under "Authentication".
    listOrders: ["401"],
  };
  const decided = (Object.keys(OPERATIONS) as OperationId[]).flatMap((id) =>
    Object.keys(operation(id, "responses") as object)
      .filter((status) => !shown[id].includes(status))
      .map((status) => ({ id, status })),
  );
  test.each(decided)("$id $status, which is not shown, is marked", ({ id, status }) => {
    expect(operation(id, "responses", status, "description")).toContain(`\n${MARK}`);
  });

  test.each(Object.keys(at("components", "headers") as object))(
    "the header component %s is marked",
    (name) => {
      expect(at("components", "headers", name, "description")).toContain(`\n${MARK}`);
    },
  );
  test("every response header is one of the marked components", () => {
    const inline = JSON.stringify([at("paths"), at("components", "responses")]).match(
      /"headers":\{"[^"]+":\{"(?!\$ref)/g,
    );
    expect(inline).toBeNull();
  });

  test.each([
    { what: "GET /store/orders", keys: OPERATIONS.listOrders, says: /only the existence of this operation/ },
    { what: "an out-of-range limit", keys: OPERATIONS.listPets, says: /out-of-range `limit`/ },
    { what: "an unknown status", keys: OPERATIONS.listPets, says: /unknown `status`/ },
    { what: "an unknown query parameter", keys: OPERATIONS.listPets, says: /unknown query parameter/ },
    { what: "a petId that is no integer", keys: OPERATIONS.getPet, says: /`petId` that is not an integer/ },
    { what: "the order of the list", keys: OPERATIONS.listPets, says: /ascending order of `id`/ },
    { what: "pagination", keys: OPERATIONS.listPets, says: /`Link` header with `rel="next"`/ },
    { what: "the plain array", keys: OPERATIONS.listPets, says: /is a plain array/ },
    { what: "the cursor", keys: [...OPERATIONS.listPets, "parameters", "2"], says: /cursors are opaque/ },
    {
      what: "retries",
      keys: OPERATIONS.createPet,
      says: /with an `Idempotency-Key`, a request can be repeated/,
    },
    ...[
      /the header is that of/,
      /in quotation marks/,
      /a retry gets the first response/,
      /at least 24 hours/,
    ].map((says) => ({
      what: `the key (${says.source})`,
      keys: [...OPERATIONS.createPet, "parameters", "0"],
      says,
    })),
    { what: "the default status", keys: OPERATIONS.createPet, says: /omitted `status` stays omitted/ },
    { what: "the category resource", keys: OPERATIONS.createPet, says: /`categoryId` is stored as given/ },
    { what: "transitions", keys: OPERATIONS.createPet, says: /No operation changes the status of a pet/ },
    { what: "unknown members of the body", keys: OPERATIONS.createPet, says: /ignored and never stored/ },
    { what: "the values of code", keys: ["info"], says: /`code` has one of the values below and no other/ },
    {
      what: "where code is listed",
      keys: ["components", "schemas", "Error", "properties", "code"],
      says: /table/,
    },
    {
      what: "statuses of no operation",
      keys: ["info"],
      says: /404 for an unknown path, 405 \(with `Allow`\)/,
    },
    { what: "int64 and JSON", keys: ["info"], says: /stored exactly or rejected with 400, never rounded/ },
    {
      what: "text that a database cannot store",
      keys: ["info"],
      says: /NUL or a lone surrogate is rejected/,
    },
    { what: "headers of the removal", keys: OPERATIONS.getPet, says: /`Deprecation`, `Sunset` and `Link`/ },
    { what: "410 after the removal", keys: OPERATIONS.getPet, says: /00:00 UTC, the response is 410/ },
    { what: "start of the deprecation", keys: OPERATIONS.getPet, says: /deprecated since 21 November 2026/ },
    {
      what: "issue, lifetime and scopes of keys",
      keys: ["info"],
      says: /issues, lists, rotates and revokes keys/,
    },
    { what: "403", keys: ["info"], says: /403 is never sent/ },
    {
      what: "rate and size limits",
      keys: ["info"],
      says: /limits for the rate of calls, the size of a body/,
    },
    { what: "the length of name", keys: ["info"], says: /`name` has no length limit/ },
    { what: "events", keys: ["info"], says: /no events, webhooks or notifications/ },
    { what: "stability markers", keys: ["info"], says: /without an `x-stability-level` marker is stable/ },
    { what: "the production address", keys: ["servers", "0", "variables", "base_url"], says: /placeholder/ },
    {
      what: "the staging address",
      keys: ["servers", "1", "variables", "staging_base_url"],
      says: /placeholder/,
    },
  ])("$what is in a marked paragraph", ({ keys, says }) => {
    const paragraphs = String(at(...keys, "description"))
      .split(/\n\n+/)
      .map((paragraph) => paragraph.replace(/\s+/g, " "));
    const found = paragraphs.filter((paragraph) => says.test(paragraph));
    expect(found.map((paragraph) => paragraph.slice(0, MARK.length))).toEqual([MARK]);
  });

  test("the mark is written in one form", () => {
    const text = descriptionsIn(at());
    const marks = text.match(/decision of this service/gi) ?? [];
    // The introduction of `info.description` explains the words once.
    expect(text.split(MARK).length - 1).toBe(marks.length - 1);
  });
  test("two parameters are beyond the interface document, and experimental: the cursor and the idempotency key", () => {
    const experimental = { schema: { type: "string" }, "x-stability-level": "experimental" };
    expect(parameter("listPets", "cursor")).toMatchObject({ in: "query", ...experimental });
    expect(parameter("createPet", "Idempotency-Key")).toMatchObject({ in: "header", ...experimental });
    expect(parameter("createPet", "Idempotency-Key")["required"]).toBeUndefined();
    expect(operation("listPets", "parameters")).toHaveLength(3);
    expect(operation("createPet", "parameters")).toHaveLength(1);
    expect(operation("getPet", "parameters")).toHaveLength(1);
  });
  test("no operation has a stability marker, so all are stable", () => {
    for (const keys of Object.values(OPERATIONS)) expect(at(...keys, "x-stability-level")).toBeUndefined();
  });
  test("no webhook and no callback is declared", () => {
    expect(at("webhooks")).toBeUndefined();
    expect(JSON.stringify(at("paths"))).not.toContain('"callbacks"');
  });
});

describe("decisions: headers", () => {
  test("a page of listPets may link to the next one", () => {
    expect(operation("listPets", "responses", "200", "headers", "Link", "required")).toBeUndefined();
    expect(operation("listPets", "responses", "200", "headers", "Link", "example")).toMatch(
      /^<[^>]+>; rel="next"$/,
    );
  });
  test.each(Object.keys(operation("getPet", "responses") as object))(
    "getPet %s tells of the removal",
    (status) => {
      const headers = ["responses", status, "headers"];
      expect(operation("getPet", ...headers, "Deprecation", "example")).toBe(
        `@${Date.UTC(2026, 10, 21) / 1000}`,
      );
      expect(operation("getPet", ...headers, "Sunset", "example")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
      expect(operation("getPet", ...headers, "Link", "example")).toMatch(/; rel="successor-version"$/);
      expect(operation("getPet", "x-deprecated-since")).toBe("2026-11-21");
    },
  );
  test.each([
    { status: "401", header: "WWW-Authenticate" },
    { status: "429", header: "Retry-After" },
    { status: "503", header: "Retry-After" },
  ])("every $status declares $header", ({ status, header }) => {
    for (const keys of Object.values(OPERATIONS)) {
      if (at(...keys, "responses", status) === undefined) continue;
      expect(at(...keys, "responses", status, "headers", header)).toBeDefined();
    }
  });
});

describe("decisions: values of code", () => {
  const codes = [
    ["400", "invalid_parameter"],
    ["400", "invalid_body"],
    ["400", "malformed_json"],
    ["400", "malformed_request"],
    ["401", "unauthorized"],
    ["404", "not_found"],
    ["404", "pet_not_found"],
    ["405", "method_not_allowed"],
    ["406", "not_acceptable"],
    ["408", "request_timeout"],
    ["410", "gone"],
    ["413", "content_too_large"],
    ["414", "uri_too_long"],
    ["415", "unsupported_media_type"],
    ["417", "expectation_failed"],
    ["422", "idempotency_key_reused"],
    ["429", "too_many_requests"],
    ["431", "headers_too_large"],
    ["500", "internal_error"],
    ["501", "not_implemented"],
    ["503", "unavailable"],
    ["505", "http_version_not_supported"],
  ];
  test("the table lists them all, and no others", () => {
    const rows = [...String(at("info", "description")).matchAll(/^\| (\d{3}) \| `(\w+)` \| .+ \|$/gm)];
    expect(rows.map(([, status, code]) => [status, code])).toEqual(codes);
  });
  test("every example of an error has a pair of the table", () => {
    const examples = JSON.stringify([deepAt("paths"), deepAt("components", "responses")]).matchAll(
      /"code":"(\w+)","message":"[^"\\]*(?:\\.[^"\\]*)*","status":(\d+)/g,
    );
    const pairs = [...examples].map(([, code, status]) => `${String(status)} ${String(code)}`);
    expect(pairs).not.toEqual([]);
    for (const pair of pairs) expect(codes.map((row) => row.join(" "))).toContain(pair);
  });
});
