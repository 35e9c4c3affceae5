import { afterEach, expect, test } from "@jest/globals";
import { send } from "../../support/http.js";
import { DOCUMENT, startThings, type Things } from "./service.js";

let things: Things;
afterEach(() => things.stop());

/** Starts a service whose things have names of the format `sku` and kinds of the format `even`. */
async function start(options: Readonly<Record<string, unknown>>): Promise<void> {
  const document = structuredClone(DOCUMENT) as {
    components: { schemas: Record<"NewThing" | "Thing", { properties: Record<string, object> }> };
  };
  const { NewThing, Thing } = document.components.schemas;
  NewThing.properties["name"] = { type: "string", format: "sku" };
  Thing.properties["name"] = { type: "string", format: "sku" };
  NewThing.properties["kind"] = { type: "string", format: "even" };
  things = await startThings({
    document,
    handlers: { createThing: ({ body }, reply) => reply[201]?.({ id: 1, ...body, ...answer }) },
    options,
  });
}
let answer = {};
const create = (body: object) =>
  send(things.port, "/v1/things", {
    method: "POST",
    headers: { authorization: "Bearer good", "content-type": "application/json" },
    body: JSON.stringify({ size: 1, ...body }),
  });

test("formats of the service are validated in requests and responses", async () => {
  answer = {};
  await start({ formats: { sku: /^[A-Z]{3}-\d{4}$/, even: (text: string) => text.length % 2 === 0 } });
  expect(await create({ name: "ABC-1234", kind: "ab" })).toMatchObject({ status: 201 });
  expect(await create({ name: "ABC-123", kind: "abc" })).toMatchObject({
    status: 400,
    json: {
      error: { message: 'Field "name" must match format "sku"; Field "kind" must match format "even"' },
    },
  });
  answer = { name: "?" };
  expect(await create({ name: "ABC-1234", kind: "ab" })).toMatchObject({ status: 500 });
});

test("without the option they are annotations", async () => {
  answer = { name: "?" };
  await start({});
  expect(await create({ name: "ABC-123", kind: "abc" })).toMatchObject({ status: 201 });
});
