import { findOperations, type OperationSource } from "tenon/core/legacy/build-operations";
import { buildModel } from "tenon/core/legacy/build-model";
import { isNode, type Node, toArray, toStrings, toText } from "tenon/core/legacy/document";
import { type Lifecycle, readLifecycle } from "tenon/core/document/lifecycle";
import type { HttpMethod, Operation } from "tenon/core/legacy/model";
import { buildTarget } from "../../verify/build-target.js";
import { buildShapes } from "../../verify/build-shapes.js";
import type { RequestShape, Target, TargetOperation } from "../../verify/target.js";
import { createWithReferenced } from "../reader/with-referenced.js";
import { readServers, type ServerChoice } from "./addresses.js";

/** An operation as the list shows it. */
export interface Entry {
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly summary: string;
  /** As they are shown. */
  readonly tags: readonly string[];
  readonly lifecycle: Lifecycle;
}

/** An operation with all that is needed to call it. Its answers are not in it. */
export interface Callable extends Reading {
  readonly entry: Entry;
  /** The schema that judges a request whose body cannot be judged. */
  readonly bodiless: RequestShape;
  /** Where it may be called: its own servers, its path item's or the contract's. */
  readonly servers: readonly ServerChoice[];
  /** Reads the operation with its answers. Of some contracts they reach everything, so it is done when one is there. */
  readonly readWhole: () => Reading;
}

/** An operation as far as it was read. */
export interface Reading {
  readonly operation: TargetOperation;
  readonly model: Operation;
  readonly target: Target;
  /** What of the contract could not be read: what it says is not judged. */
  readonly problems: readonly string[];
}

export interface Callables {
  readonly entries: readonly Entry[];
  /**
   * Reads one operation; of a large contract that is a small part.
   * @returns undefined when it is not of this contract.
   */
  open(entry: Entry): Callable | undefined;
}

/** @param document Bundled. */
export function createCallables(document: Node): Callables {
  const names = readTagNames(document);
  const sources = new Map(
    findOperations({ document, report: () => undefined }).map((source) => [toEntry(source, names), source]),
  );
  const byId = new Map([...sources.values()].map((source) => [source.id, source]));
  const withReferenced = createWithReferenced(document);
  return {
    entries: [...sources.keys()],
    open(entry) {
      const source = sources.get(entry);
      if (source === undefined) return undefined;
      const readPart = (responses: unknown) =>
        read(
          entry,
          withReferenced(toPart(document, { ...source, node: { ...source.node, responses } }, byId)),
        );
      const reading = readPart({});
      const [servers = []] = [source.node, source.pathItem.node, document]
        .map(readServers)
        .filter((declared) => declared.length > 0);
      const { operation, target } = reading;
      const [bodiless] = buildShapes({ parameters: operation.parameters, body: undefined }, target.requests);
      if (bodiless === undefined) return undefined;
      return { ...reading, entry, bodiless, servers, readWhole: () => readPart(source.node["responses"]) };
    },
  };
}

/** How tags are shown, by what operations call them. */
function readTagNames({ tags }: Node): ReadonlyMap<string, string> {
  return new Map(
    toArray(tags).flatMap((tag) => {
      const [name, shown] = isNode(tag) ? [toText(tag["name"]), toText(tag["x-displayName"])] : [];
      return name === undefined || shown === undefined ? [] : [[name, shown] as const];
    }),
  );
}

function toEntry({ id, method, path, node }: OperationSource, tagNames: ReadonlyMap<string, string>): Entry {
  return {
    id,
    method,
    path,
    summary: toText(node["summary"]) ?? "",
    tags: toStrings(node["tags"]).map((tag) => tagNames.get(tag) ?? tag),
    lifecycle: readLifecycle(node),
  };
}

/** A contract of one operation, and of the name of the one that replaces it, which its answers link to. */
function toPart(document: Node, source: OperationSource, byId: ReadonlyMap<string, OperationSource>): Node {
  const { openapi, info, servers, security, components } = document;
  const { securitySchemes = {} } = (components ?? {}) as Node;
  const successor = byId.get(toText(source.node["x-replaced-by"]) ?? "");
  const named = ({ path, method, id }: OperationSource) => [path, { [method]: { operationId: id } }] as const;
  const { parameters } = source.pathItem.node;
  const own = {
    [source.method]: { ...source.node, operationId: source.id, callbacks: undefined },
    ...(parameters !== undefined && { parameters }),
  };
  return {
    openapi,
    info,
    ...(servers !== undefined && { servers }),
    ...(security !== undefined && { security }),
    components: { securitySchemes },
    paths: Object.fromEntries([
      ...(successor === undefined || successor.path === source.path ? [] : [named(successor)]),
      [source.path, own],
    ]),
  };
}

/** @throws when the operation is not in the document: it was made for it. */
function read(entry: Entry, document: Node): Reading {
  const problems: string[] = [];
  const contract = buildModel({
    document,
    report: (code, pointer, message) => {
      if (!IRRELEVANT.has(code)) problems.push(`${message} (${pointer})`);
    },
  });
  const target = buildTarget(document, contract);
  const operation = target.operations.find(({ id }) => id === entry.id);
  const model = contract.operations.find(({ id }) => id === entry.id);
  if (operation === undefined || model === undefined)
    throw new Error(`The contract's operation "${entry.id}" cannot be read: ${problems.join("; ")}`);
  return { operation, model, target, problems };
}

/** Of what is generated, or of where a service is mounted: a call has an address of its own. */
const IRRELEVANT: ReadonlySet<string> = new Set([
  "base-path",
  "base-path-other",
  "servers-ignored",
  "name-changed",
]);
