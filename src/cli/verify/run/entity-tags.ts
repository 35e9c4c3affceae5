import type { Contract, Operation } from "tenon/core/model";
import { type CaseContext, makeValid, withoutOptional } from "../cases/index.js";
import type { Exchange } from "../checks/index.js";
import {
  canAccess,
  type Credentials,
  getHeader,
  isSuccess,
  listShapes,
  type TestCase,
} from "../messages/index.js";
import { type Creation, toPathValues } from "./creations.js";

const SAFE = new Set(["get", "head"]);

type PathValues = TestCase["value"]["path"];

interface EntityTagOptions extends CaseContext {
  readonly contract: Contract;
  readonly credentials: Credentials;
  readonly creations: readonly Creation[];
  readonly skipped: readonly string[];
  /** Sends a request whose response is learned from. */
  readonly read: (testCase: TestCase) => Promise<Exchange | undefined>;
}

/**
 * Keeps the entity tags of resources (RFC 9110, section 8.8.3), for the headers that an operation declares: `If-Match`, and
 * `If-None-Match` of GET and HEAD.
 */
export function createEntityTags(options: EntityTagOptions) {
  const { contract, credentials, creations, skipped, requests, read } = options;
  /** Current tags by resource. */
  const tags = new Map<string, string>();
  /** Operations whose responses have no tag. */
  const untagged = new Set<Operation>();
  /** Operations that have refused a request without the header. */
  const demanding = new Set<Operation>();

  /** The operations that read the resource of a path, or the resources that contain it, the closest first. */
  const listReads = ({ path }: Operation): readonly Operation[] =>
    contract.operations
      .filter(({ method, path: own }) => method === "get" && isAt(path, own))
      .sort((a, b) => b.path.length - a.path.length);

  const find = async ({ operation, value, phase }: TestCase): Promise<string | undefined> => {
    for (const reading of listReads(operation)) {
      const key = toKey(reading, value.path);
      const [shape] = listShapes(reading);
      if (!tags.has(key) && !untagged.has(reading) && !skipped.includes(reading.id) && shape !== undefined) {
        const [made] = makeValid(reading, shape, { phase, count: 1 }, options);
        if (made === undefined || !canAccess(reading, contract, credentials)) continue;
        const base = withoutOptional({ ...made, expectation: "open" });
        const exchange = await read({
          ...base,
          value: { ...base.value, ...(value.path && { path: value.path }) },
        });
        if (exchange !== undefined && isSuccess(exchange.response.status) && !tags.has(key))
          untagged.add(reading);
      }
      const tag = tags.get(key);
      if (tag !== undefined) return tag;
    }
    return undefined;
  };

  return {
    learn(exchange: Exchange): void {
      const { testCase, response } = exchange;
      const { operation, value } = testCase;
      const { method } = operation;
      if (response.status === 428) demanding.add(operation);
      // A change of the resource changes its tag, and may change those of what contains it.
      if (response.status === 412 || (isSuccess(response.status) && !SAFE.has(method))) {
        for (const one of listReads(operation)) tags.delete(toKey(one, value.path));
      }
      const tag = getHeader(response, "etag");
      if (tag === undefined || !isSuccess(response.status)) return;
      if (method !== "post" && method !== "delete") tags.set(toKey(operation, value.path), tag);
      for (const creation of creations.filter(({ create }) => create === operation)) {
        const path = toPathValues(creation, exchange);
        if (path !== undefined) tags.set(toKey(creation.read, path), tag);
      }
    },
    /** Replaces the value of the header that compares tags by the resource's tag, unless the test case is about that header. */
    async add(testCase: TestCase): Promise<TestCase> {
      const { operation, value, constraint, shape } = testCase;
      const isSafe = SAFE.has(operation.method);
      const wanted = isSafe ? "if-none-match" : "if-match";
      const parameter = operation.parameters.find(
        (one) => one.in === "header" && one.name.toLowerCase() === wanted,
      );
      // A request that always has `If-None-Match` would never get a representation.
      if (parameter === undefined || (isSafe && parameter.required)) return testCase;
      const { name } = parameter;
      const [location, member] = constraint?.path ?? [];
      if (location === "header" && (member ?? constraint?.keyword.split(" ")[1]) === name) return testCase;
      if (!Object.hasOwn(value.header ?? {}, name) && !demanding.has(operation)) return testCase;
      const tag = await find(testCase);
      if (tag === undefined) return testCase;
      const changed = { ...value, header: { ...value.header, [name]: tag } };
      // The contract may restrict the header, too.
      const [before, after] = [requests.find(shape.schema, value), requests.find(shape.schema, changed)];
      if (after?.at !== before?.at || after?.keyword !== before?.keyword) return testCase;
      return { ...testCase, value: changed, known: ["header", name] };
    },
  };
}

/** Tests whether a path is that of a resource, or below it: `/pets/{petId}/toys` and `/pets/{petId}:sell` are. */
function isAt(path: string, resource: string): boolean {
  return path === resource || path.startsWith(`${resource}/`) || path.startsWith(`${resource}:`);
}

/** Identifies a resource: `/pets/{petId}` and its values. */
function toKey({ path: template }: Operation, path: PathValues = {}): string {
  const names = Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, name = ""]) => name);
  return JSON.stringify([template, ...names.map((name) => path[name])]);
}
