import { afterEach, describe, expect, test } from "@jest/globals";
import { send } from "../../support/http.js";
import { startThings, type Things } from "./service.js";

const AUTHORIZED = { Authorization: "Bearer good" };

let things: Things | undefined;
const { NODE_ENV } = process.env;
afterEach(async () => {
  process.env["NODE_ENV"] = NODE_ENV;
  await things?.stop();
  things = undefined;
});

const without = (...ids: readonly string[]) => ({
  handlers: Object.fromEntries(ids.map((id) => [id, undefined])) as never,
  options: { unimplemented: "mock" },
});

describe("operations whose handler is yet to come", () => {
  test("are answered by the mock, and say so; the others are not", async () => {
    things = await startThings(without("createThing", "archiveThing"));
    const created = await send(things.port, "/v1/things", {
      method: "POST",
      headers: { ...AUTHORIZED, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "a", size: 1 }),
    });
    expect(created.status).toBe(201);
    expect(created.headers["tenon-mock"]).toBe("true");
    expect(created.json).toMatchObject({ id: expect.any(Number) as unknown });
    const listed = await send(things.port, "/v1/things", { headers: AUTHORIZED });
    expect(listed.status).toBe(200);
    expect(listed.headers["tenon-mock"]).toBeUndefined();
    expect(things.handled).toEqual(["listThings"]);
  });

  test("are enforced as all others are", async () => {
    things = await startThings(without("createThing"));
    const headers = { ...AUTHORIZED, "Content-Type": "application/json" };
    expect((await send(things.port, "/v1/things", { method: "POST" })).status).toBe(401);
    expect((await send(things.port, "/v1/things", { method: "POST", headers, body: "{}" })).status).toBe(400);
  });

  test("are answered as Prefer says", async () => {
    things = await startThings(without("archiveThing"));
    const put = (Prefer: string) =>
      send(things?.port ?? 0, "/v1/things/7:archive", { method: "PUT", headers: { Prefer } });
    expect((await put("code=409")).status).toBe(409);
    expect((await put("code=abc")).status).toBe(400);
    expect((await put("")).status).toBe(204);
  });

  test("answer 501 where the contract says that there is nothing yet", async () => {
    things = await startThings(without("createThing"));
    expect((await send(things.port, "/v1/later")).status).toBe(501);
  });

  test("stop the start of a service in production", async () => {
    process.env["NODE_ENV"] = "production";
    const starting = startThings(without("createThing", "both")).then((started) => (things = started));
    await expect(starting).rejects.toThrow(
      /write the handler of createThing, both, or answer 501 with unimplemented: "501"/,
    );
    things = await startThings({ options: { unimplemented: "mock" } });
    expect((await send(things.port, "/v1/anyone")).status).toBe(200);
  });
});
