import { afterEach, describe, expect, test } from "@jest/globals";
import { type Admission, type AuthenticationRequest, HttpError } from "../../../src/tenon/runtime/index.js";
import { send } from "../../support/http.js";
import { startThings, type Things } from "./service.js";

type Admit = (admission: Admission<{ readonly bearer: { readonly credential: string } }>) => unknown;

let things: Things;
afterEach(() => things.stop());

const json = { "content-type": "application/json" };
const start = async (admit: Admit): Promise<void> => {
  things = await startThings({ options: { admit } });
};

describe("admit", () => {
  test.each([
    ["at once", (admit: Admit) => admit],
    [
      "later",
      (admit: Admit) => async (admission: Parameters<Admit>[0]) => {
        await Promise.resolve();
        await admit(admission);
      },
    ],
  ])(
    "%s is told who calls what, before anything is read, and may set headers and refuse",
    async (_, wrap) => {
      const told: unknown[] = [];
      await start(
        wrap(({ operationId, auth, request, response }) => {
          told.push([operationId, auth?.bearer?.credential, request.method]);
          response.setHeader("X-Left", told.length);
          if (told.length > 1)
            throw HttpError.refusal("too_many_requests", { headers: { "Retry-After": "7" } });
        }),
      );
      const headers = { authorization: "Bearer good", ...json };
      const first = await send(things.port, "/v1/things", { headers });
      expect([first.status, first.headers["x-left"]]).toStrictEqual([200, "1"]);
      const second = await send(things.port, "/v1/things", { method: "POST", headers, body: "{" });
      expect([second.status, second.headers["x-left"], second.headers["retry-after"]]).toStrictEqual([
        429,
        "2",
        "7",
      ]);
      expect(told).toStrictEqual([
        ["listThings", "good", "GET"],
        ["createThing", "good", "POST"],
      ]);
      expect(things.handled).toStrictEqual(["listThings"]);
    },
  );

  test("and an authenticator may say that a good credential is not enough", async () => {
    things = await startThings({
      authenticate: () => {
        throw HttpError.refusal("forbidden", { message: "This key may only read" });
      },
    });
    const answer = await send(things.port, "/v1/things", { headers: { authorization: "Bearer good" } });
    expect(answer).toMatchObject({
      status: 403,
      json: { error: { code: "forbidden", message: "This key may only read", status: 403 } },
    });
    expect(answer.headers).not.toHaveProperty("www-authenticate");
  });

  test("is not asked about who has no credential or a bad one, but about who need not have any", async () => {
    const told: unknown[] = [];
    await start(({ operationId, auth }) => told.push([operationId, auth]) > 9);
    await send(things.port, "/v1/things");
    await send(things.port, "/v1/things", { headers: { authorization: "Bearer bad" } });
    await send(things.port, "/v1/nope");
    expect(told).toStrictEqual([]);
    await send(things.port, "/v1/anyone");
    expect(told).toStrictEqual([["anyone", undefined]]);
  });

  test("an error other than HttpError becomes a 500 with a fixed text", async () => {
    await start(() => {
      throw new Error("secret");
    });
    const answer = await send(things.port, "/v1/anyone");
    expect([answer.status, answer.text.includes("secret")]).toStrictEqual([500, false]);
    expect(things.failures).toMatchObject([{ phase: "authentication", error: { message: "secret" } }]);
  });
});

describe("an authenticator", () => {
  test("sees the request that the credential came with", async () => {
    const seen: unknown[] = [];
    const authenticate = (credential: string, { request, operationId }: AuthenticationRequest): unknown =>
      seen.push([operationId, credential, request.ip, request.method]);
    things = await startThings({
      options: {
        authenticators: {
          bearer: authenticate,
          basic: authenticate,
          key: authenticate,
          queryKey: authenticate,
        },
      },
    });
    await send(things.port, "/v1/things", { headers: { authorization: "Bearer good" } });
    await send(things.port, "/v1/both?key=other");
    expect(seen).toStrictEqual([
      ["listThings", "good", "127.0.0.1", "GET"],
      ["both", "other", "127.0.0.1", "GET"],
    ]);
  });
});
