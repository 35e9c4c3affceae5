import { describe, expect, test } from "@jest/globals";
import { buildContract } from "../../../src/tenon/core/model/build-contract.js";
import type { FormField } from "../../../src/tenon/core/model/content.js";

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const SCHEMAS = {
  Size: { type: "integer" },
  Pet: {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, size: { $ref: "#/components/schemas/Size" } },
  },
  Tree: { type: "object", properties: { child: { $ref: "#/components/schemas/Tree" } } },
  Bytes: { type: "string", contentMediaType: "image/png" },
  List: { type: "array", items: { $ref: "#/components/schemas/List" } },
  Self: { allOf: [{ $ref: "#/components/schemas/Self" }] },
};
const ref = (name: keyof typeof SCHEMAS) => ({ $ref: `#/components/schemas/${name}` });

interface Problem {
  readonly code: string;
  readonly pointer: string;
  readonly message: string;
}

function build(mediaType: string, media: object) {
  const problems: Problem[] = [];
  const contract = buildContract(
    {
      openapi: "3.1.0",
      info: { title: "Test", version: "1.0.0" },
      paths: { "/a": { post: { requestBody: { content: { [mediaType]: media } }, responses: {} } } },
      components: { schemas: SCHEMAS },
    },
    {
      report: (code, pointer, message) => {
        if (code !== "schema-circular") problems.push({ code, pointer, message });
      },
    },
  );
  return { form: contract.operations[0]?.requestBody?.mediaTypes[0]?.form, problems };
}

function buildField(schema: object, encoding?: object, mediaType = FORM) {
  const media = { schema: { properties: { a: schema } }, ...(encoding && { encoding: { a: encoding } }) };
  const { form, problems } = build(mediaType, media);
  if (typeof form !== "object") throw new Error("The form has no fields");
  const [{ type, style, explode, mediaTypes }] = form.fields as [FormField];
  return { type, style, explode, mediaTypes, problems };
}

const list = (items: object) => ({ type: "array", items });
const nothing = { enum: [""] };

describe("a field without a style", () => {
  test.each<[schema: object, want: unknown]>([
    [{ type: "integer" }, "integer"],
    [{ type: ["string", "integer"] }, ["integer", "string"]],
    [{ type: ["boolean", "null"] }, ["null", "boolean"]],
    [{ anyOf: [ref("Size"), nothing] }, ["integer", "string"]],
    [{ allOf: [{ type: "number" }, ref("Size")] }, "integer"],
    [{ enum: [1, true] }, ["boolean", "integer"]],
    [{}, "string"],
    [ref("Bytes"), "string"],
    [list(ref("Size")), { items: "integer" }],
    [list({}), { items: "string" }],
    [{ anyOf: [list(ref("Size")), { type: "null" }] }, ["null", { items: "integer" }]],
    [{ anyOf: [list(ref("Size")), nothing] }, ["string", { items: "integer" }]],
    [ref("Pet"), "json"],
    [ref("Tree"), "json"],
    [{ anyOf: [ref("Pet"), { type: "null" }] }, "json"],
    [list(ref("Pet")), { items: "json" }],
    [list(list(ref("Size"))), { items: "json" }],
    [ref("List"), { items: "json" }],
  ])("%j is %j", (schema, want) => {
    expect(buildField(schema)).toEqual({
      type: want,
      style: "form",
      explode: true,
      mediaTypes: [],
      problems: [],
    });
  });

  const STRING = { type: "string" };
  test.each<[schema: object, want: unknown, start: string]>([
    [{ anyOf: [ref("Pet"), nothing] }, ["string", { json: ["object"] }], ' if it starts with "{"'],
    [{ anyOf: [ref("Pet"), list(STRING)] }, "json", ""],
    [
      { anyOf: [ref("Pet"), list(STRING), STRING] },
      ["string", { items: "string" }, { json: ["object"] }],
      ' if it starts with "{"',
    ],
    [
      { anyOf: [list(ref("Pet")), { type: "string" }] },
      ["string", { json: ["array"] }],
      ' if it starts with "["',
    ],
  ])("%j is %j, with a warning", (schema, want, start) => {
    const { type, problems } = buildField(schema);
    expect(type).toEqual(want);
    expect(problems).toEqual([
      {
        code: "parameter-json",
        pointer: `#/paths/~1a/post/requestBody/content/${FORM.replace("/", "~1")}/schema`,
        message: `The field "a" of the request body of POST /a is read as JSON${start}: its text does not show whether it is an object or another type`,
      },
    ]);
  });

  test.each<[schema: object, want: unknown]>([
    [ref("Pet"), "json"],
    [list(ref("Pet")), { items: "json" }],
  ])("%j with an XML contentType is JSON, with a warning", (schema, want) => {
    const { type, problems } = buildField(schema, { contentType: "application/xml" });
    expect(type).toEqual(want);
    expect(problems).toMatchObject([
      {
        code: "parameter-json",
        message:
          'The field "a" of the request body of POST /a is read as JSON: application/xml cannot be read as an object',
      },
    ]);
  });

  test.each<[schema: object, contentType: string, want: unknown]>([
    [{ type: "string" }, "application/json", "json"],
    [{ type: "string" }, "application/json, text/plain", "string"],
    [list({ type: "string" }), "application/problem+json", { items: "json" }],
    [{}, "application/json", "json"],
  ])("%j with contentType %s is %j", (schema, contentType, want) => {
    expect(buildField(schema, { contentType }).type).toEqual(want);
  });
});

describe("a field with a style", () => {
  test.each<[encoding: object, schema: object, want: object]>([
    [{ explode: false }, list(ref("Size")), { style: "form", explode: false, type: { items: "integer" } }],
    [
      { style: "spaceDelimited" },
      list({}),
      { style: "spaceDelimited", explode: false, type: { items: "string" } },
    ],
    [{ style: "pipeDelimited", explode: true }, list({}), { style: "pipeDelimited", explode: true }],
    [{ style: "form" }, ref("Pet"), { type: { properties: { name: "string", size: "integer" } } }],
    [
      { explode: true },
      ref("Pet"),
      { style: "form", type: { properties: { name: "string", size: "integer" } } },
    ],
    [
      { style: "deepObject" },
      { anyOf: [list(ref("Pet")), nothing] },
      { type: ["string", { items: { properties: { name: "string", size: "integer" } } }] },
    ],
    [
      { style: "deepObject", contentType: "application/json" },
      { type: "string" },
      { type: "string", mediaTypes: [] },
    ],
  ])("%j of %j", (encoding, schema, want) => {
    expect(buildField(schema, encoding)).toMatchObject({ ...want, problems: [] });
  });

  test.each<[encoding: object, schema: object, want: unknown, problem: string]>([
    [
      { style: "form" },
      list(ref("Pet")),
      { items: "json" },
      'style "form" cannot hold arrays or objects in others',
    ],
    [{ style: "deepObject" }, ref("Tree"), "json", "its value contains itself, as Tree"],
  ])("%j that cannot write %j is read as without it, with a warning", (encoding, schema, want, problem) => {
    expect(buildField(schema, encoding)).toEqual({
      type: want,
      style: "form",
      explode: true,
      mediaTypes: [],
      problems: [
        {
          code: "parameter-json",
          pointer: `#/paths/~1a/post/requestBody/content/${FORM.replace("/", "~1")}/encoding/a/style`,
          message: `The field "a" of the request body of POST /a is read as JSON: ${problem}`,
        },
      ],
    });
  });

  test("that forms do not support is an error", () => {
    expect(buildField({}, { style: "simple" }).problems).toMatchObject([
      {
        code: "parameter-style",
        message:
          'Cannot read the field "a" of the request body of POST /a: style "simple" is not one of form, spaceDelimited, pipeDelimited, deepObject, the styles of a form field',
      },
    ]);
  });
});

describe("a file", () => {
  const bytes = { type: "string", format: "binary" };

  test.each<[schema: object, want: unknown]>([
    [bytes, "file"],
    [ref("Bytes"), "file"],
    [{ allOf: [ref("Bytes")], description: "x" }, "file"],
    [{ anyOf: [bytes, { type: "null" }] }, "file"],
    [{ description: "Anything." }, "file"],
    [list({}), "files"],
    [list(ref("Bytes")), "files"],
    [{ anyOf: [list(bytes), { type: "null" }] }, "files"],
    [{ minLength: 1, type: "string" }, "string"],
    [ref("Self"), "string"],
  ])("%j is %j", (schema, want) => {
    const { form } = build(MULTIPART, { schema: { properties: { a: schema } } });
    expect(form).toMatchObject({ fields: [{ type: want }] });
  });

  test("has the media types of its contentType", () => {
    expect(buildField(bytes, { contentType: "image/png, image/*" }, MULTIPART).mediaTypes).toEqual([
      "image/png",
      "image/*",
    ]);
  });
});

describe("the fields of a form", () => {
  const shapeOf = (schema: object) => {
    const { form } = build(FORM, { schema });
    if (typeof form !== "object") return form;
    const fields = form.fields.map(({ name, required, type }) => [name, required, type]);
    return form.others === undefined ? fields : [...fields, form.others];
  };
  const a = { properties: { a: { type: "integer" } } };
  const required = { ...a, required: ["a"] };

  test.each<[schema: object, want: unknown]>([
    [
      ref("Pet"),
      [
        ["name", true, "string"],
        ["size", false, "integer"],
      ],
    ],
    [
      { allOf: [ref("Pet"), { required: ["size"] }] },
      [
        ["name", true, "string"],
        ["size", false, "integer"],
      ],
    ],
    [
      { ...ref("Pet"), required: ["size"] },
      [
        ["name", true, "string"],
        ["size", true, "integer"],
      ],
    ],
    [{ allOf: [{ properties: { a: { type: "number" } } }, required] }, [["a", true, "integer"]]],
    [{ oneOf: [required, { properties: { a: { type: "string" } } }] }, [["a", false, ["integer", "string"]]]],
    [{ oneOf: [required, required] }, [["a", true, "integer"]]],
    [{ anyOf: [required, { type: "null" }] }, [["a", true, "integer"]]],
    [{ type: "object", additionalProperties: ref("Size") }, ["integer"]],
    [{ type: "object", additionalProperties: false }, []],
    [{}, []],
    [ref("Self"), []],
  ])("%j: %j", (schema, want) => {
    expect(shapeOf(schema)).toEqual(want);
  });

  test("that are not declared are reported together", () => {
    const { form, problems } = build(FORM, {
      schema: { additionalProperties: { type: ["object", "string"] } },
    });
    expect(form).toMatchObject({ fields: [], others: ["string", { json: ["object"] }] });
    expect(problems).toMatchObject([
      { message: expect.stringContaining("The value of any other field of the request body") as unknown },
    ]);
  });

  test.each<[schema: object, want: string, what: string]>([
    [{ type: "string" }, "text", "text"],
    [{ anyOf: [ref("Size"), { type: "string" }] }, "text", "text"],
    [{ type: "string", format: "binary" }, "binary", "bytes"],
    [list({ type: "string" }), "binary", "bytes"],
    [ref("Size"), "binary", "bytes"],
  ])("%j has no fields: it is %s as a whole", (schema, want, what) => {
    for (const mediaType of [FORM, MULTIPART]) {
      const { form, problems } = build(mediaType, { schema });
      expect(form).toBe(want);
      expect(problems).toEqual([
        {
          code: "form-whole",
          pointer: `#/paths/~1a/post/requestBody/content/${mediaType.replace("/", "~1")}/schema`,
          message: `The fields of the request body of POST /a are not read, because its schema is not an object: the body is ${what} as a whole`,
        },
      ]);
    }
  });
});
