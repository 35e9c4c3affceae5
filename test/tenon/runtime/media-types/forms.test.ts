import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { send, type Answer } from "../../../support/http.js";
import { LIMITS, serve, type Served } from "./serve.js";

let served: Served;
beforeAll(async () => {
  served = await serve({ ...LIMITS, partLimit: 20 });
});
afterAll(() => served.stop());

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=x7";

type Fields = readonly (readonly [name: string, value: string])[];

/** As URLSearchParams and curl's `--data-urlencode` write it. */
const urlEncoded = (fields: Fields): string =>
  fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");

const multipart = (fields: Fields): string =>
  `${fields.map(([name, value]) => `--x7\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join("")}--x7--\r\n`;

const call = (method: string, path: string, contentType: string, body: string): Promise<Answer> =>
  send(served.port, path, { method, headers: { "content-type": contentType }, body });
const order = (fields: Fields, kind: string): Promise<Answer> =>
  kind === "multipart"
    ? call("POST", "/v1/orders", MULTIPART, multipart(fields))
    : call("POST", "/v1/orders", FORM, urlEncoded(fields));

const ITEM: Fields = [["items[0][price]", "p"]];

describe.each(["urlencoded", "multipart"])("the fields of a %s form", (kind) => {
  test("are read in their styles, and as the handler's types say", async () => {
    const fields: Fields = [
      ...ITEM,
      ["items[0][quantity]", "2"],
      ["items[1][price]", "50% + 1"],
      ["metadata[order]", "1"],
      ["metadata[__proto__]", "a=b&c"],
      ["expand[]", "x"],
      ["expand[]", "y,z"],
      ["ends", "now"],
      ["gift", "true"],
      ["red", "255"],
      ["name", "dark"],
      ["path", "[1,2]"],
      ["path", "[3]"],
      ["other", "1"],
    ];
    expect(await order(fields, kind)).toMatchObject({
      status: 201,
      json: {
        total: 3,
        ends: "now",
        gift: true,
        value: {
          items: [
            { price: "p", quantity: 2 },
            { price: "50% + 1", quantity: 1 },
          ],
          metadata: { order: "1", ["__proto__"]: "a=b&c" },
          expand: ["x", "y,z"],
          colour: { red: 255, name: "dark" },
          path: [[1, 2], [3]],
          other: "1",
        },
      },
    });
  });

  test.each<[fields: Fields, value: object]>([
    [[["metadata", ""]], { metadata: "" }],
    [[["ends", "5"]], { ends: 5 }],
    [[["expand[0]", "a"]], { expand: ["a"] }],
    [[["expand", "a"]], { expand: ["a"] }],
    [[["items[0][note]", "undeclared"]], { items: [{ price: "p", quantity: 1, note: "undeclared" }] }],
  ])("%j", async (fields, value) => {
    const answer = await order([...ITEM, ...fields], kind);
    expect(answer).toMatchObject({ status: 201, json: { value } });
    expect(answer.json).not.toHaveProperty("value.colour");
  });

  test.each<[fields: Fields, message: string]>([
    [[["ends", "now"]], 'Field "items" is required'],
    [[["items[0][quantity]", "2"]], 'Field "items[0][price]" is required'],
    [[...ITEM, ["items[0][quantity]", "0"]], 'Field "items[0][quantity]" must be at least 1'],
    [
      [...ITEM, ["items[0][quantity]", "0x1"]],
      'Field "items[0][quantity]" must be an integer in plain decimal digits',
    ],
    [
      [...ITEM, ["items[0][quantity]", "9007199254740993"]],
      'Field "items[0][quantity]" must be from -9007199254740991 to 9007199254740991',
    ],
    [[["items[99999999][price]", "p"]], 'Field "items" must have an index for each item, from 0 on'],
    [
      [
        ["items[][price]", "p"],
        ["items[][quantity]", "1"],
      ],
      'Field "items" must have an index for each item, because empty brackets are ambiguous here',
    ],
    [
      [...ITEM, ["metadata[a]", "b\u0001"], ["metadata[a]", "c"]],
      'Field "metadata[a]" must be a string, and only once',
    ],
    [[...ITEM, ["metadata[a][b]", "c"]], 'Field "metadata[a]" must be a string'],
    [[...ITEM, ["ends", "later"]], 'Field "ends" must'],
    [[...ITEM, ["gift", "yes"]], 'Field "gift" must be true or false'],
    [[...ITEM, ["red", "256"]], 'Field "red" must be at most 255'],
    [[...ITEM, ["path", "[1,]"]], 'Field "path[0]" is not JSON (character 4)'],
    [[...ITEM, ["path", '["1"]']], 'Field "path[0][0]" must be an integer'],
    [
      [...ITEM, ["gift", "1"], ["red", "x"]],
      'Field "gift" must be true or false; Field "red" must be an integer',
    ],
  ])("%j are refused", async (fields, message) => {
    expect(await order(fields, kind)).toMatchObject({
      status: 400,
      json: { code: "invalid_body", message: expect.stringContaining(message) as unknown },
    });
  });
});

describe("what delimits", () => {
  test("is a delimiter where it stands bare, and part of a value where it is escaped", async () => {
    const post = (body: string) => call("POST", "/v1/orders", FORM, `items[0][price]=p&${body}`);
    expect(await post("size=width+1%20height+2")).toMatchObject({
      json: { value: { size: { width: 1, height: 2 } } },
    });
    const pets = (body: string) => call("POST", "/v1/pets", FORM, `name=x&${body}`);
    expect(await pets("nicknames=a%2Cb,c+d")).toMatchObject({
      json: { value: { nicknames: ["a,b", "c d"] } },
    });
    expect(await pets("codes=1|2%7C3")).toMatchObject({ json: { value: { codes: [1, 2, 3] } } });
  });

  test("cannot be escaped in a part, whose text is as it is", async () => {
    const fields: Fields = [...ITEM, ["size", "width 1 height 2"], ["metadata[a]", "%20+%zz"]];
    expect(await order(fields, "multipart")).toMatchObject({
      json: { value: { size: { width: 1, height: 2 }, metadata: { a: "%20+%zz" } } },
    });
    expect(await order([...ITEM, ["size", "width+1"]], "multipart")).toMatchObject({
      json: { message: 'Field "size" must be a list of names, each followed by its value' },
    });
  });
});

test("an undeclared name is text like any other", async () => {
  const refused = { status: 400, json: { message: 'Field "a\0" has a NUL character' } };
  expect(await call("POST", "/v1/orders", FORM, "items[0][price]=p&a%00=1")).toMatchObject(refused);
  expect(await call("PUT", "/v1/others", FORM, "a%00=1")).toMatchObject(refused);
});

test("a form that curl sends is parsed as an order", async () => {
  const body = "items[0][price]=p&items[0][quantity]=2&metadata[order]=1";
  expect(await call("POST", "/v1/orders", FORM, body)).toMatchObject({
    status: 201,
    json: { total: 2, value: { metadata: { order: "1" } } },
  });
});

test("a file that may be null is a file", async () => {
  const form = new FormData();
  form.append("items[0][price]", "p");
  form.append("receipt", new Blob(["abc"], { type: "image/png" }), "r.png");
  const response = await fetch(`http://127.0.0.1:${served.port}/v1/orders`, { method: "POST", body: form });
  expect(await response.json()).toMatchObject({
    value: { items: [{ price: "p" }], receipt: { filename: "r.png", mediaType: "image/png", size: 3 } },
  });
});

test("a file name on a field in brackets changes nothing", async () => {
  const form = new FormData();
  form.append("items[0][price]", new Blob(["p"]), "p.txt");
  const response = await fetch(`http://127.0.0.1:${served.port}/v1/orders`, { method: "POST", body: form });
  expect(await response.json()).toMatchObject({ value: { items: [{ price: "p" }] } });
});

describe("a form whose schema is not an object", () => {
  test("is text that the schema validates, or bytes", async () => {
    expect(await call("PUT", "/v1/whole", FORM, "a=%zz ")).toMatchObject({ status: 200, text: "5" });
    expect(await call("PUT", "/v1/whole", FORM, "x".repeat(21))).toMatchObject({
      status: 400,
      json: { message: "The body must not have more than 20 characters" },
    });
    expect(await call("PUT", "/v1/whole", MULTIPART, "\0")).toMatchObject({ status: 200, text: "1" });
  });
});

describe("fields that only `additionalProperties` declares", () => {
  test("have its type", async () => {
    expect(await call("PUT", "/v1/others", FORM, "a=1&a=2&__proto__=3")).toMatchObject({
      status: 200,
      json: [
        ["a", 3],
        ["__proto__", 3],
      ],
    });
    expect(await call("PUT", "/v1/others", FORM, "a=x")).toMatchObject({
      status: 400,
      json: { message: 'Field "a[0]" must be an integer in plain decimal digits' },
    });
    expect(await call("PUT", "/v1/others", MULTIPART, multipart([["a", "é"]]))).toMatchObject({
      json: [["a", { filename: "", mediaType: "text/plain", size: 2 }]],
    });
  });
});
