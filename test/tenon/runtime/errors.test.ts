import type { Server } from "node:http";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import express from "express";
import {
  createErrorHandler,
  createHttpServer,
  HttpError,
  type ErrorOptions,
  type Failure,
  type Problem,
} from "../../../src/tenon/runtime/index.js";
import type { Operation } from "../../../src/tenon/core/model/index.js";
import { createErrorContent } from "../../../src/tenon/runtime/errors/error-content.js";
import { close, listen, send } from "../../support/http.js";
import { getOperation, toOperationContract } from "../../cli/generate/contract.js";
import { DOCUMENT, startThings, type Things, type ThingsOptions } from "./service.js";

const GOOD = { authorization: "Bearer good" };

const stopping: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stopping.splice(0).map((stop) => stop()));
  jest.restoreAllMocks();
});

async function start(given: ThingsOptions): Promise<Things> {
  const things = await startThings(given);
  stopping.push(() => things.stop());
  return things;
}

describe("the body of an error is the one that the operation declares", () => {
  const toContent = createErrorContent({
    errorBody: {
      "application/json": ({ code }) => ({ code }),
      "application/problem+json": ({ message }, operation) => ({ title: message, at: operation?.id }),
      "text/plain": ({ message }) => message,
    },
  });
  const problem = { code: "invalid_body", message: "No", status: 400 } as const;
  const declaring = (...declared: [string, string[]][]): Operation => {
    const responses = declared.map(([status, mediaTypes]) => [
      status,
      { description: "d", content: Object.fromEntries(mediaTypes.map((name) => [name, {}])) },
    ]);
    return getOperation(
      toOperationContract({ operationId: "listThings", responses: Object.fromEntries(responses) as object }),
    );
  };
  const usual = { mediaType: "application/json", kind: "json", body: { code: "invalid_body" } };

  test.each<[string, Operation | undefined, object]>([
    ["no operation", undefined, usual],
    ["nothing for the status", declaring(["404", ["text/plain"]]), usual],
    ["the usual one", declaring(["400", ["text/plain", "application/json"]]), usual],
    ["a range that the usual one is in", declaring(["400", ["text/plain", "*/*"]]), usual],
    ["no body", declaring(["400", []]), usual],
    ["what nobody can write", declaring(["400", ["application/xml"]]), usual],
    [
      "another one",
      declaring(["400", ["application/problem+json"]]),
      {
        mediaType: "application/problem+json",
        kind: "json",
        body: { title: "No", at: "listThings" },
      },
    ],
    [
      "text",
      declaring(["400", ["text/plain;charset=utf-8"]]),
      { mediaType: "text/plain;charset=utf-8", kind: "text", body: "No" },
    ],
    [
      "a range of statuses before `default`",
      declaring(["default", ["application/problem+json"]], ["4XX", ["text/plain"]]),
      { mediaType: "text/plain", kind: "text", body: "No" },
    ],
  ])("%s", (_, operation, want) => {
    expect(toContent(problem, operation)).toEqual(want);
  });

  test("a usual media type that no function writes stops the start", () => {
    expect(() =>
      createErrorContent({ errorBody: { "text/plain": String }, errorMediaType: "application/json" }),
    ).toThrow("errorBody has no function for application/json");
  });

  test("over HTTP", async () => {
    const things = await start({
      document: {
        ...DOCUMENT,
        paths: {
          ...DOCUMENT.paths,
          "/things": {
            ...DOCUMENT.paths["/things"],
            get: {
              ...DOCUMENT.paths["/things"].get,
              responses: {
                ...DOCUMENT.paths["/things"].get.responses,
                "400": { description: "No", content: { "application/problem+json": {} } },
              },
            },
          },
        },
      },
      options: {
        errorBody: {
          "application/json": ({ code }: { code: string }) => ({ code }),
          "application/problem+json": ({ message }: { message: string }) => ({ title: message }),
        },
      },
    });
    const refused = await send(things.port, "/v1/things?limit=0", { headers: GOOD });
    expect(refused).toMatchObject({
      status: 400,
      json: { title: 'Query parameter "limit" must be at least 1' },
    });
    expect(refused.headers["content-type"]).toBe("application/problem+json");
    const nobody = await send(things.port, "/v1/things");
    expect(nobody).toMatchObject({ status: 401, json: { code: "unauthorized" } });
    expect(nobody.headers["content-type"]).toBe("application/json");
  });
});

describe("an HttpError with a status of the service", () => {
  const CONFLICT = {
    description: "The name is taken.",
    headers: { "X-Taken-By": { required: true, schema: { type: "integer" } } },
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["code", "taken"],
          properties: { code: { enum: ["name_taken"] }, taken: { type: "integer" } },
        },
      },
    },
  };
  const things = DOCUMENT.paths["/things"];
  const get = { ...things.get, responses: { ...things.get.responses, "409": CONFLICT } };
  const document = { ...DOCUMENT, paths: { ...DOCUMENT.paths, "/things": { ...things, get } } };

  const undeclared = ({ code, details }: Problem) => ({ code, taken: details });

  class NameTakenError extends Error {
    constructor(readonly by: number | string) {
      super();
    }
  }
  const toConflict = (by: number | string, code = "name_taken") =>
    new HttpError(409, { code, message: "Taken", details: by, headers: { "X-Taken-By": by } });

  async function call(error: Error, options: object = {}) {
    const failures: Failure[] = [];
    const { port, responseProblems: problems } = await start({
      document,
      handlers: {
        listThings: () => {
          throw error;
        },
      },
      options: {
        errorBody: ({ code, details }: Problem) => ({ code, taken: details, secret: 1 }),
        toHttpError: (thrown: unknown) =>
          thrown instanceof NameTakenError ? toConflict(thrown.by) : undefined,
        onFailure: (failure: Failure) => failures.push(failure),
        ...options,
      },
    });
    const { status, json, headers } = await send(port, "/v1/things", { headers: GOOD });
    return { status, json, headers, failures, problems };
  }

  test("is sent as the operation declares it, without undeclared members", async () => {
    const { status, json, headers, failures } = await call(toConflict(7), { responseValidation: "report" });
    expect({ status, json }).toEqual({ status: 409, json: { code: "name_taken", taken: 7 } });
    expect(headers["x-taken-by"]).toBe("7");
    expect(failures).toMatchObject([{ phase: "handler", problem: { code: "name_taken", details: 7 } }]);
  });

  test("is what toHttpError makes of an error of another layer", async () => {
    const { status, json } = await call(new NameTakenError(7), {
      undeclaredProperties: "send",
      errorBody: undeclared,
    });
    expect({ status, json }).toEqual({ status: 409, json: { code: "name_taken", taken: 7 } });
  });

  test.each([
    ["a body that the contract does not allow", toConflict(7, "other"), "/code must be name_taken"],
    ["a header that it does not allow", toConflict("x"), "header x-taken-by must be an integer"],
    [
      "a status that it does not declare",
      new HttpError(410, { code: "a", message: "b" }),
      "does not declare 410",
    ],
  ])("is a 500 with %s, and the reason is in the log", async (_, error, reason) => {
    const { status, json, failures } = await call(error, { errorBody: undeclared });
    expect({ status, json }).toMatchObject({ status: 500, json: { code: "internal_error" } });
    expect(failures).toHaveLength(1);
    expect(String(failures[0]?.error)).toContain(reason);
  });

  test("with an undeclared status is a 500 also where responses are not validated", async () => {
    const error = new HttpError(410, { code: "a", message: "b" });
    const { status, failures } = await call(error, { responseValidation: "off", errorBody: undeclared });
    expect(status).toBe(500);
    expect(failures).toMatchObject([{ error: { cause: error } }]);
  });

  test("is reported and sent where responses are only reported", async () => {
    const { status, problems } = await call(toConflict(7, "other"), {
      responseValidation: "report",
      errorBody: undeclared,
    });
    expect(status).toBe(409);
    expect(problems).toMatchObject([{ status: 409, problems: ["/code must be name_taken"] }]);
  });

  test("needs no declaration outside the contract", async () => {
    const app = express();
    app.use(() => {
      throw new HttpError(418, { code: "teapot", message: "Short and stout" });
    });
    app.use(createErrorHandler({ errorBody: ({ code, message, status }) => ({ code, message, status }) }));
    const server = createHttpServer(app, { errorBody: ({ code }) => ({ code }) });
    stopping.push(() => close(server));
    expect(await send(await listen(server), "/")).toMatchObject({
      status: 418,
      json: { code: "teapot", message: "Short and stout", status: 418 },
    });
  });

  test.each([200, 399, 600, 409.5, NaN])("cannot be %s", (status) => {
    expect(() => new HttpError(status, { code: "a", message: "b" })).toThrow(RangeError);
  });
});

test.each([undefined, () => 1, Symbol("x")])(
  "a JSON body that is %p is not sent as declared",
  async (body) => {
    const { port, failures } = await start({
      handlers: { listThings: (_, reply) => reply[200]?.(body, { headers: { "X-Total": 1 } }) },
    });
    expect(await send(port, "/v1/things", { headers: GOOD })).toMatchObject({ status: 500 });
    expect(String(failures[0]?.error)).toContain("is not as declared: a body is required");
  },
);

describe("without onFailure", () => {
  const failing = (options: object) =>
    start({
      handlers: {
        listThings: () => {
          throw new Error("the database is away");
        },
      },
      options: { onFailure: undefined, ...options },
    });

  test("failures of the service are logged with method, path template and stack", async () => {
    const log = jest.spyOn(console, "error").mockReturnValue(undefined);
    const { port } = await failing({});
    expect(await send(port, "/v1/things?q=secret", { headers: GOOD })).toMatchObject({ status: 500 });
    expect(log.mock.calls).toEqual([
      ["GET /things failed with 500:", expect.objectContaining({ message: "the database is away" })],
    ]);
  });

  test("client errors and unimplemented operations are not logged", async () => {
    const log = jest.spyOn(console, "error").mockReturnValue(undefined);
    const { port } = await failing({});
    for (const [path, status] of [
      ["/v1/things", 401],
      ["/v1/nope", 404],
      ["/v1/later", 501],
    ] as const)
      expect(await send(port, path)).toMatchObject({ status });
    expect(log).not.toHaveBeenCalled();
  });
});

test("one object of options serves the API, the rest of the app and the server", async () => {
  const failures: [string, string | undefined][] = [];
  const errors: ErrorOptions = {
    errorBody: ({ code }) => ({ code }),
    onFailure: ({ problem }, request) => failures.push([problem.code, request?.url]),
  };
  const app = express();
  app.use(() => {
    throw new HttpError("not_found");
  });
  app.use(createErrorHandler(errors));
  const server: Server = createHttpServer(app, errors);
  stopping.push(() => close(server));
  const port = await listen(server);
  expect(await send(port, "/x")).toMatchObject({ status: 404, json: { code: "not_found" } });
  expect(await send(port, `/${"x".repeat(9_000)}`)).toMatchObject({
    status: 414,
    json: { code: "uri_too_long" },
  });
  expect(failures.map(([code]) => code)).toEqual(["not_found", "uri_too_long"]);
});
