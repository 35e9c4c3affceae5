import type { OperationDescriptor } from "tenon/runtime/operation";
import type { HandlerRequest } from "tenon/runtime/routing/route";
import { isObject } from "../values/schema.js";
import type { Answers, MockAnswer } from "./answers.js";
import { type Chosen, chooseStatus, chooseUsual } from "./choose-response.js";
import type { ResourceUse } from "./resources.js";
import { type Collection, findThings, isId, putThings, type Thing, toNextId } from "./things.js";

/** A call of an operation, and how it is answered without anything that is kept. */
export interface KeptCall {
  readonly operation: OperationDescriptor;
  readonly request: HandlerRequest;
  readonly answers: Answers;
  readonly give: (chosen: Chosen) => MockAnswer;
}

/** Keeps what is created, for as long as the mock runs. */
export interface State {
  /** Undefined where the operation is about nothing that is kept, and where the contract does not allow to show it. */
  answer(call: KeptCall): MockAnswer | undefined;
}

export interface StateOptions {
  readonly basePath: string;
  readonly uses: ReadonlyMap<OperationDescriptor, ResourceUse>;
  /** Names of the properties that a request's body may have. */
  readonly findSendable: (operation: OperationDescriptor) => readonly string[];
  /** Things that are there before any is created. */
  readonly findFirst: (use: ResourceUse) => readonly Thing[];
}

/** Query parameters that say how many things are wanted. */
const LIMITS = new Set(["limit", "per_page", "perPage", "page_size", "pageSize"]);

export function createState({ basePath, uses, findSendable, findFirst }: StateOptions): State {
  const collections = new Map<string, Collection>();

  function open(path: string, use: ResourceUse): Collection {
    const known = collections.get(path);
    if (known !== undefined) return known;
    const collection: Collection = new Map(findFirst(use).map((thing) => [String(thing[use.key]), thing]));
    collections.set(path, collection);
    return collection;
  }

  return {
    answer(call) {
      const use = uses.get(call.operation);
      const chosen = chooseUsual(call.operation);
      if (use === undefined || chosen === undefined || chosen.status >= 300) return undefined;
      const path = toPath(use, call.request);
      const kept: Kept = { ...call, ...use, path, things: open(path, use), usual: call.give(chosen) };
      if (use.role === "list") return list(kept);
      return use.role === "create" ? create(kept) : answerItem(kept);
    },
  };

  function create(kept: Kept): MockAnswer | undefined {
    const { request, operation, usual, key, things, path } = kept;
    if (!isObject(request.body)) return undefined;
    const shown = isObject(usual.content?.body) ? usual.content.body : {};
    // What could have been sent and was not is not there; the rest is the service's to add.
    const sendable = findSendable(operation);
    const added = Object.entries(shown).filter(([name]) => !sendable.includes(name));
    const sent = toThing(request.body, kept);
    const id = isId(sent[key]) ? sent[key] : toNextId(shown[key], things);
    const answer = keep({ ...Object.fromEntries(added), ...sent, [key]: id }, kept);
    const location = Object.keys(answer?.headers ?? {}).find((name) => name.toLowerCase() === "location");
    if (answer === undefined || location === undefined) return answer;
    const url = `${basePath}${path}/${encodeURIComponent(id)}`;
    return { ...answer, headers: { ...answer.headers, [location]: url } };
  }

  function answerItem(kept: Kept): MockAnswer | undefined {
    const { role, request, operation, usual, give, things, parameter, key } = kept;
    const sentId = request.path[parameter];
    const found = things.get(String(sentId));
    if (found === undefined) {
      const missing = chooseStatus(operation, 404);
      if (missing !== undefined) return give(missing);
      if (role !== "replace") return undefined;
    }
    if (role === "remove") {
      things.delete(String(sentId));
      return usual;
    }
    if (role === "read") return found && show(found, kept);
    const omitted = role === "replace" ? findSendable(operation) : [];
    const rest = Object.entries(found ?? {}).filter(([name]) => !omitted.includes(name));
    const sent = isObject(request.body) ? toThing(request.body, kept) : {};
    return keep({ ...Object.fromEntries(rest), ...sent, [key]: found?.[key] ?? sentId }, kept);
  }
}

/** A call, what it is about, and the answer without it. */
interface Kept extends KeptCall, ResourceUse {
  readonly path: string;
  readonly things: Collection;
  readonly usual: MockAnswer;
}

/** The path of the collection that a request is about: `/owners/7/pets`. */
function toPath({ collection }: ResourceUse, { path }: HandlerRequest): string {
  return collection.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
}

/** What was sent of what answers may show: a password stays with whoever sent it. */
function toThing(body: Thing, { properties }: ResourceUse): Thing {
  return Object.fromEntries(Object.entries(body).filter(([name]) => properties.includes(name)));
}

/** Keeps a thing if the operation's answer can show it; else nothing has changed. */
function keep(thing: Thing, kept: Kept): MockAnswer | undefined {
  const { usual, things, key } = kept;
  const answer = isObject(usual.content?.body) ? show(thing, kept) : usual;
  if (answer !== undefined) things.set(String(thing[key]), thing);
  return answer;
}

/** The usual answer with a thing in it; what the thing lacks and must have is the usual answer's. Undefined where it does not fit. */
function show(thing: Thing, { usual, answers }: Kept): MockAnswer | undefined {
  const { content } = usual;
  if (content === undefined || !isObject(content.body)) return undefined;
  const shown = content.body;
  const known = Object.entries(thing).filter(([name]) => Object.hasOwn(shown, name));
  for (const body of [thing, { ...shown, ...thing }, { ...shown, ...Object.fromEntries(known) }]) {
    const answer = { ...usual, content: { ...content, body } };
    if (answers.isGood(answer)) return answer;
  }
  return undefined;
}

/** All things that have what the query asks for by the name of a property, up to its limit. */
function list({ usual, answers, request, things, key, properties }: Kept): MockAnswer | undefined {
  const { content } = usual;
  if (content === undefined || findThings(content.body, key) === undefined) return undefined;
  const asked = Object.entries(request.query).filter(
    ([, value]) => !isObject(value) && !Array.isArray(value),
  );
  const limits = asked.flatMap(([name, value]) =>
    LIMITS.has(name) && typeof value === "number" ? [value] : [],
  );
  const wanted = [...things.values()]
    .filter((thing) => asked.every(([name, value]) => !properties.includes(name) || thing[name] === value))
    .slice(0, Math.min(...limits, things.size));
  const toAnswer = (shown: readonly Thing[]): MockAnswer => ({
    ...usual,
    content: { ...content, body: putThings(content.body, shown) },
  });
  const whole = toAnswer(wanted);
  if (answers.isGood(whole)) return whole;
  const some = toAnswer(wanted.filter((thing) => answers.isGood(toAnswer([thing]))));
  return answers.isGood(some) ? some : undefined;
}
