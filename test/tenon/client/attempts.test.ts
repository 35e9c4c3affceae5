import { afterEach, describe, expect, jest, test } from "@jest/globals";
import {
  CallTimeoutError,
  type ClientContract,
  type ClientOperation,
  type ClientOptions,
  createBareContractClient,
  defineCall,
  UnreadableBodyError,
  writeContent,
} from "tenon/client";
import { GENERATED_VERSION } from "tenon/core/version";

const CONTRACT: ClientContract = {
  tenon: GENERATED_VERSION,
  securitySchemes: { token: { scheme: "Bearer" } },
  security: [["token"]],
};

interface Operation {
  parameters: { header?: { "Idempotency-Key"?: string } };
  requestBody?: { content: { "application/json": unknown; "text/csv": unknown } };
  responses: {
    200: { content: { "application/json": unknown } };
    default: { content: { "application/json": unknown } };
  };
}

type Answer = Response | Error | ((request: Request) => Promise<Response>);

/** A client of a service that gives these answers in turn, the last one again and again. */
function serve(
  answers: readonly Answer[],
  options: Partial<ClientOptions> = {},
  more: Partial<ClientOperation> = {},
) {
  const requests: Request[] = [];
  const fetch = (request: Request): Promise<Response> => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    if (typeof answer === "function") return answer(request);
    return answer instanceof Response
      ? Promise.resolve(answer.clone())
      : Promise.reject(answer ?? new Error());
  };
  const operation: ClientOperation = {
    id: "callIt",
    method: "get",
    path: "/a",
    responses: [200, "default"],
    mediaTypes: ["application/json", "text/csv"],
    writeContent,
    ...more,
  };
  const call = defineCall<Operation, "get">(operation);
  const client = createBareContractClient(CONTRACT, {
    baseUrl: "https://petstore.example",
    fetch,
    retry: { delay: 1 },
    ...options,
  });
  return { requests, send: (init: Parameters<typeof call>[1] = {}) => call(client, init) };
}

const OK = Response.json("fine");
const BUSY = Response.json("busy", { status: 503 });
const LOST = new TypeError("fetch failed");
const POST = { method: "post" } as const;
const KEYED = { ...POST, idempotencyKey: "quoted" } as const;

/** Waits until the request is aborted. */
const hang = (request: Request): Promise<Response> =>
  new Promise((_, reject) => {
    const end = () => {
      reject(request.signal.reason as Error);
    };
    if (request.signal.aborted) end();
    else request.signal.addEventListener("abort", end);
  });

afterEach(() => {
  jest.restoreAllMocks();
});

describe("a failed attempt", () => {
  test.each<[string, readonly Answer[], Partial<ClientOperation>, number, number]>([
    ["is repeated without a response", [LOST, OK], {}, 200, 2],
    ["is repeated when the service is busy", [BUSY, BUSY, OK], {}, 200, 3],
    ["is repeated as often as the default says", [BUSY], {}, 503, 3],
    ["is repeated for PUT", [BUSY, OK], { method: "put" }, 200, 2],
    ["is repeated for POST with Idempotency-Key", [LOST, OK], KEYED, 200, 2],
    ["is not repeated for POST", [BUSY, OK], POST, 503, 1],
    ["is not repeated for PATCH", [BUSY, OK], { method: "patch" }, 503, 1],
    ["is not repeated for other errors", [Response.json("bug", { status: 500 }), OK], {}, 500, 1],
    ["is not repeated for a declared error", [Response.json("no", { status: 404 }), OK], {}, 404, 1],
  ])("%s", async (_, answers, more, status, count) => {
    const { send, requests } = serve(answers, {}, more);
    expect((await send()).status).toBe(status);
    expect(requests).toHaveLength(count);
  });

  test("rejects with the last error", async () => {
    const { send, requests } = serve([BUSY, LOST]);
    await expect(send()).rejects.toMatchObject({ name: "ConnectionError", cause: LOST });
    expect(requests).toHaveLength(3);
  });

  test("is repeated when its body breaks, and not when it cannot be read", async () => {
    const broken = () => {
      const body = new ReadableStream({
        pull: (controller) => {
          controller.error(new TypeError("terminated"));
        },
      });
      return Promise.resolve(new Response(body, { headers: { "Content-Type": "application/json" } }));
    };
    const { send, requests } = serve([broken, OK]);
    expect(await send().orThrow()).toBe("fine");
    expect(requests).toHaveLength(2);
    const page = serve([new Response("<html>", { headers: { "Content-Type": "text/html" } })]);
    await expect(page.send()).rejects.toThrow(UnreadableBodyError);
    expect(page.requests).toHaveLength(1);
  });

  test.each([
    ["of the client", { retry: false as const }, {}],
    ["of the call", {}, { retry: false as const }],
  ])("is not repeated if the option %s says so", async (_, options, init) => {
    const { send, requests } = serve([BUSY, OK], options, KEYED);
    expect((await send(init)).status).toBe(503);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers.has("Idempotency-Key")).toBe(false);
  });

  test("is not repeated with a stream as the body", async () => {
    const body = new Blob(["a,b"]).stream();
    const { send, requests } = serve([BUSY, OK], {}, { method: "put" });
    expect((await send({ body, mediaType: "text/csv" })).status).toBe(503);
    expect(requests).toHaveLength(1);
  });

  test("uses up a budget that calls without one fill again", async () => {
    const { send, requests } = serve([BUSY], { retry: { attempts: 6, delay: 0 } });
    for (let call = 0; call < 3; call += 1) await send();
    expect(requests).toHaveLength(3 + 10);
  });
});

describe("the delay", () => {
  const retryAfter = (text: string) =>
    Response.json("later", { status: 429, headers: { "Retry-After": text } });

  /** Times that a client waits, without waiting. */
  const observe = (): number[] => {
    const times: number[] = [];
    jest.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, time: number) => {
      times.push(time);
      queueMicrotask(run);
      return 0;
    }) as unknown as typeof setTimeout);
    return times;
  };

  test("is random below a limit that doubles", async () => {
    jest.spyOn(Math, "random").mockReturnValue(0.5);
    const times = observe();
    await serve([BUSY], { retry: { attempts: 4, delay: 100, maxDelay: 300 } }).send();
    expect(times).toEqual([50, 100, 150, 150]);
  });

  test("honours Retry-After, up to maxDelay", async () => {
    jest.spyOn(Math, "random").mockReturnValue(0.5);
    const times = observe();
    expect((await serve([retryAfter("2"), OK], { retry: { delay: 100 } }).send()).status).toBe(200);
    const date = new Date(Date.now() + 20_000).toUTCString();
    expect((await serve([retryAfter(date), OK], { retry: { delay: 0 } }).send()).status).toBe(200);
    expect(times[0]).toBe(2_050);
    expect(times[1]).toBeGreaterThan(10_000);
    const { send, requests } = serve([retryAfter("31"), OK]);
    expect((await send()).status).toBe(429);
    expect(requests).toHaveLength(1);
    expect(times).toHaveLength(2);
  });

  test("is not waited for beyond the timeout of the call", async () => {
    const { send, requests } = serve([retryAfter("5"), OK], { timeout: 4_000 });
    expect((await send()).status).toBe(429);
    expect(requests).toHaveLength(1);
  });

  test("ends when the caller aborts", async () => {
    const controller = new AbortController();
    const { send } = serve([retryAfter("20")], {
      onResponse: () => {
        queueMicrotask(() => {
          controller.abort(new Error("Enough"));
        });
      },
    });
    await expect(send({ signal: controller.signal })).rejects.toThrow("Enough");
  });
});

describe("Idempotency-Key", () => {
  const keysOf = (requests: readonly Request[]) =>
    requests.map(({ headers }) => headers.get("Idempotency-Key"));

  test("is made for a call, and kept over its attempts", async () => {
    const { send, requests } = serve([LOST, BUSY, OK], {}, KEYED);
    await send();
    const [first, ...others] = keysOf(requests);
    expect(first).toMatch(/^"[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}"$/);
    expect(others).toEqual([first, first]);
    await send();
    expect(keysOf(requests).at(-1)).not.toBe(first);
  });

  test("is the caller's, as a parameter or a header", async () => {
    const { send, requests } = serve([OK], {}, { ...POST, idempotencyKey: "plain" });
    await send({ header: { "Idempotency-Key": "mine" } });
    await send({ headers: { "idempotency-key": "mine too" } });
    expect(keysOf(requests)).toEqual(["mine", "mine too"]);
  });
});

describe("timeout", () => {
  test.each([
    ["of the client", { timeout: 5 }, {}],
    ["of the call", { timeout: 60_000 }, { timeout: 5 }],
  ])("%s ends the call with all its attempts", async (_, options, init) => {
    const { send, requests } = serve([hang], options);
    const error = await send(init).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallTimeoutError);
    expect(error).toMatchObject({
      operationId: "callIt",
      timeout: 5,
      message: "callIt took longer than 5 ms",
    });
    expect(requests).toHaveLength(1);
  });

  test("leaves the caller's signal in force", async () => {
    const signal = AbortSignal.abort(new Error("Enough"));
    await expect(serve([hang], { timeout: 60_000 }).send({ signal })).rejects.toThrow("Enough");
    expect((await serve([OK], { timeout: 60_000 }).send({ timeout: false })).status).toBe(200);
  });
});

describe("hooks", () => {
  test("see every attempt", async () => {
    const seen: unknown[] = [];
    const { send } = serve([LOST, BUSY, OK], {
      onRequest: ({ operation, attempt, request }) => {
        seen.push([operation.id, attempt, request.url]);
      },
      onResponse: ({ attempt, response }) => {
        seen.push([attempt, response.status]);
      },
      onError: ({ attempt, error }) => {
        seen.push([attempt, error]);
      },
    });
    await send();
    const url = "https://petstore.example/a";
    expect(seen).toEqual([
      ["callIt", 1, url],
      [1, LOST],
      ["callIt", 2, url],
      [2, 503],
      ["callIt", 3, url],
      [3, 200],
    ]);
  });

  test("replace requests and responses", async () => {
    const { send, requests } = serve([OK], {
      onRequest: ({ request }) => new Request(request, { headers: { traceparent: "00-1" } }),
      onResponse: async ({ response }) => Response.json(`${(await response.json()) as string}!`),
    });
    expect(await send().orThrow()).toBe("fine!");
    expect(requests[0]?.headers.get("traceparent")).toBe("00-1");
  });

  test("that throw end the call", async () => {
    const { send, requests } = serve([OK], {
      onRequest: () => {
        throw new Error("Refused");
      },
    });
    await expect(send()).rejects.toThrow("Refused");
    expect(requests).toHaveLength(0);
  });
});

describe("a credential that is rejected", () => {
  const check = (request: Request) =>
    Promise.resolve(
      request.headers.get("Authorization") === "Bearer new"
        ? OK.clone()
        : Response.json("who", { status: 401 }),
    );

  test("is replaced once for all calls that had it, also for POST", async () => {
    const asked: unknown[] = [];
    let token = "old";
    const { send, requests } = serve(
      [check],
      {
        credentials: {
          token: async ({ rejected }) => {
            asked.push(rejected);
            if (rejected !== undefined) token = await Promise.resolve("new");
            return token;
          },
        },
      },
      POST,
    );
    const results = await Promise.all([send(), send(), send()]);
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(asked).toEqual([undefined, undefined, undefined, "old"]);
    expect(requests).toHaveLength(6);
  });

  test("is not sent again if there is no other one", async () => {
    const same = serve([check], { credentials: { token: () => "old" } });
    expect((await same.send()).status).toBe(401);
    expect(same.requests).toHaveLength(1);
    const text = serve([check], { credentials: { token: "old" } });
    expect((await text.send()).status).toBe(401);
    expect(text.requests).toHaveLength(1);
  });

  test("is replaced again when its replacement expires", async () => {
    const tokens = ["worse", "new"];
    const { send, requests } = serve([check], {
      credentials: { token: ({ rejected }) => (rejected === undefined ? "old" : (tokens.shift() ?? "")) },
    });
    expect((await send()).status).toBe(401);
    expect((await send()).status).toBe(200);
    expect(requests).toHaveLength(4);
  });

  test("rejects the call with the error of its function, which is asked again by the next", async () => {
    let count = 0;
    const { send } = serve([check], {
      credentials: {
        token: ({ rejected }) => {
          count += 1;
          if (rejected !== undefined) throw new Error(`Signed out ${count}`);
          return "old";
        },
      },
    });
    await expect(send()).rejects.toThrow("Signed out 2");
    await expect(send()).rejects.toThrow("Signed out 4");
  });
});
