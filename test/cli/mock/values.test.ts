// @thorough: makes values for hundreds of schemas.
import { describe, expect, test } from "@jest/globals";
import { createJudge } from "./judge.js";
import { serve, toDocument, toRouted } from "./serve.js";
import { send } from "../../support/http.js";
import { COMPONENTS, SCHEMAS } from "../values/schemas.js";

const SEEDS = 20;

describe("values that are made up", () => {
  test("are valid to another validator, whatever the schema and the seed", async () => {
    const document = toDocument(
      SCHEMAS.map(([, schema]) => schema),
      COMPONENTS,
    );
    const judge = createJudge(document);
    const mock = await serve(toRouted(document));
    const problems: string[] = [];
    try {
      for (const [index, [what]] of SCHEMAS.entries()) {
        const judged = { path: `/${index}`, method: "get", status: "200", mediaType: "application/json" };
        for (let seed = 0; seed < SEEDS; seed += 1) {
          for (const dynamic of [true, false]) {
            const headers = { Prefer: `seed=${seed}, dynamic=${dynamic}` };
            const { status, json, text } = await send(mock.port, `/${index}`, { headers });
            const verdict = status === 200 ? judge(judged, json) : `${status} ${text}`;
            if (verdict !== "") problems.push(`${what}: ${verdict} ${text}`);
          }
        }
      }
    } finally {
      await mock.stop();
    }
    expect(problems).toEqual([]);
  });

  test("tell what is wrong where a schema allows none", async () => {
    const mock = await serve(
      toRouted(
        toDocument([
          { type: "array", minItems: 5, maxItems: 3 },
          { type: "string", pattern: "^(?=b)a" },
        ]),
      ),
    );
    try {
      for (const path of ["/0", "/1"]) {
        const { status, json } = await send(mock.port, path);
        const message = `Cannot generate a valid 200 response of "get${path.slice(1)}"; add an example to the response`;
        expect(status).toBe(500);
        expect(json).toMatchObject({ message: expect.stringContaining(message) as unknown });
      }
    } finally {
      await mock.stop();
    }
  });

  test("look like what their names say", async () => {
    const properties = Object.fromEntries(
      ["firstName", "email", "city", "createdAt", "website", "countryCode", "description"].map((name) => [
        name,
        { type: "string" },
      ]),
    );
    const mock = await serve(
      toRouted(toDocument([{ type: "object", properties: { ...properties, age: { type: "integer" } } }])),
    );
    try {
      const { json } = await send(mock.port, "/0");
      expect(json).toEqual({
        firstName: expect.stringMatching(/^[A-Z][a-z]+$/) as unknown,
        email: expect.stringMatching(/^[a-z]+\.[a-z]+@example\.com$/) as unknown,
        city: expect.stringMatching(/^[A-Z][a-z]+$/) as unknown,
        createdAt: expect.stringMatching(/^202\d-\d\d-\d\dT[\d:]{8}Z$/) as unknown,
        website: expect.stringMatching(/^https:\/\/www\.example\.com\//) as unknown,
        countryCode: expect.stringMatching(/^[A-Z]{2}$/) as unknown,
        description: expect.stringMatching(/^[A-Z][a-z ]+\.$/) as unknown,
        age: expect.any(Number) as unknown,
      });
    } finally {
      await mock.stop();
    }
  });
});
