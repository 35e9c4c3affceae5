import type { IncomingMessage } from "node:http";
import { isNode } from "tenon/core/document";
import type { Contract, Operation } from "tenon/core/model";
import {
  type Handler,
  type HandlerRequest,
  HttpError,
  type MakeHandler,
  Reply,
} from "tenon/runtime/portable";
import { chooseStatus, chooseUsual, type Chosen } from "./choose-response.js";
import { createFaultInjection, type InjectionOptions } from "./injection.js";
import { endList } from "./pages.js";
import {
  type BadExample,
  createResponseMaker,
  type MockResponse,
  type ResponseMaker,
} from "./make-response.js";
import { readPreferences } from "./preferences.js";
import { createState } from "./state.js";
import { createTryValues, toSeed, type TryValues } from "./try-values.js";

/** Distinguishes a response of the mock from one of a service. */
const MOCK_HEADER = "Tenon-Mock";

export interface MockOptions extends InjectionOptions {
  /** Generates every response, each with other values. Default: false. */
  readonly dynamic?: boolean;
  /** Called once for each invalid example, which is never sent, as soon as a handler of its operation is made. */
  readonly onBadExample?: (bad: BadExample) => void;
  /** Keeps created resources, so that they can be read, changed and deleted. Default: false. */
  readonly stateful?: boolean;
  /** Called before each response. */
  readonly onHandled?: (handled: HandledRequest) => void;
}

/** A valid request, and the response that it is going to get. */
export interface HandledRequest {
  readonly operation: Operation;
  readonly request: HandlerRequest;
  readonly response: MockResponse;
  /** The request as it arrived. */
  readonly incoming: Parameters<Handler>[3];
}

export interface Mock {
  readonly tryValues: TryValues;
  readonly makeHandler: MakeHandler;
  /** Finds the maker of an operation whose handler was made. */
  readonly findMaker: (operation: Operation) => ResponseMaker | undefined;
}

/** Creates handlers that respond with the contract's examples, or else with values that its schemas allow. */
export function createMock(contract: Contract, options: MockOptions = {}): Mock {
  const { seed = "1", dynamic: isDynamic = false, onBadExample, onHandled } = options;
  const injection = createFaultInjection({ ...options, seed });
  const tryValues = createTryValues({ registry: contract.registry, side: "response" });
  const respondKept = options.stateful === true ? createState(contract, tryValues) : undefined;
  const makers = new Map<Operation, ResponseMaker>();
  // Operations share examples.
  const reported = new Set<string>();
  const reportOnce = (bad: BadExample) => {
    if (!reported.has(bad.pointer)) onBadExample?.(bad);
    reported.add(bad.pointer);
  };
  let requests = 0;

  const makeHandler: MakeHandler = (missing): Handler => {
    const { operation } = missing;
    const maker = createResponseMaker(missing, tryValues, reportOnce);
    makers.set(operation, maker);

    return async (request, _replies, _context, incoming) => {
      const preferences = readPreferences(incoming.headers["prefer"]);
      const { code, example, dynamic = isDynamic } = preferences;
      await readStream(request.body);
      await injection.delay();
      const injected = code === undefined ? injection.choose(operation) : undefined;
      const wanted = {
        accepts: request.accepts ?? [],
        dynamic,
        // Without `dynamic`, the same request gets the same response, and another path gets another pet.
        seed:
          preferences.seed === undefined
            ? toSeed(seed, operation.id, dynamic ? (requests += 1) : request.path)
            : toSeed(preferences.seed, operation.id),
      };
      const toReply = (response: MockResponse) => {
        onHandled?.({ operation, request, response, incoming });
        const { status, content, headers } = response;
        const paced =
          content?.kind === "items"
            ? { ...content, body: injection.pace(content.body as Iterable<unknown>) }
            : content;
        return new Reply(operation.id, status, paced, { ...headers, [MOCK_HEADER]: "true" });
      };
      const make = (chosen: Chosen, named?: string): MockResponse =>
        maker.make({ ...wanted, ...chosen, example: named });
      if (injected !== undefined) return toReply(make(injected));
      const kept =
        code === undefined && example === undefined
          ? respondKept?.({ operation, request, maker, make, url: toUrl(incoming) })
          : undefined;
      if (kept !== undefined) return toReply(kept);
      const response = make(choose(operation, code), example);
      return toReply(example === undefined ? endList(response, request.query, maker) : response);
    };
  };
  return { makeHandler, tryValues, findMaker: (operation) => makers.get(operation) };
}

/** Reads a body that is a stream to its end, which validates its items. With several media types, `value` has it. */
async function readStream(body: unknown): Promise<void> {
  for (const stream of [body, isNode(body) ? body["value"] : undefined]) {
    const items = isStream(stream) ? stream[Symbol.asyncIterator]() : undefined;
    while (items !== undefined && (await items.next()).done !== true);
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function toUrl({ url = "/", headers: { host = "localhost" } }: IncomingMessage): URL {
  return new URL(`http://${host}${url}`);
}

function choose(operation: Operation, code: number | undefined): Chosen {
  const { id, responses } = operation;
  const chosen = code === undefined ? chooseUsual(operation) : chooseStatus(operation, code);
  if (chosen !== undefined) return chosen;
  if (code === undefined)
    throw new HttpError("internal_error", { message: `"${id}" declares no response that can be sent` });
  const known = responses.map(({ status }) => status).join(", ");
  throw HttpError.refusal("not_found", {
    message: `The operation "${id}" declares no response ${code}; it has ${known}`,
  });
}
