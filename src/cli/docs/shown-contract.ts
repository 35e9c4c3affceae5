import { isNode, type Node, toText } from "tenon/core/legacy/document";
import { type Lifecycle, readLifecycle } from "tenon/core/document/lifecycle";
import { getOwn } from "tenon/core/document/pointer";
import { showInstant } from "tenon/core/document/instant";
import { markDecisions } from "./decisions.js";
import { type ErrorContext, listSharedErrors, withErrorCodes } from "./error-codes.js";
import { toCode, toFragment, toOperationLink } from "./markdown.js";
import { mapMembers } from "./members.js";
import { toOperationFacts } from "./operation-facts.js";
import { toServerUrl } from "./servers.js";

/** Members that hold data of the API or mere names, where `x-sunset` or `operationId` would mean nothing. */
const DATA = new Set(["const", "default", "discriminator", "enum", "example", "links", "security", "value"]);

/** Members whose own members are named by the contract's author rather than by the specification. */
const NAME_MAPS = new Set([
  "$defs",
  "callbacks",
  "content",
  "dependentSchemas",
  "encoding",
  "examples",
  "headers",
  "parameters",
  "pathItems",
  "paths",
  "patternProperties",
  "properties",
  "requestBodies",
  "responses",
  "schemas",
  "securitySchemes",
  "variables",
  "webhooks",
]);

/**
 * The contract as the pages show it at an instant. Each operation's name and each lifecycle become the first line of the
 * description. There Redoc's search finds it, and it can link. `operationId: getPet`, `deprecated: true`, `x-sunset: "2030-12-05"`,
 * `x-replaced-by: listPets` become
 * ``operationId `getPet` · **removed on** 2030-12-05 · **use instead** [listPets](#operation/listPets) · [Try it](…)``,
 * and from that day on, when the answer is 410, `**gone since** 2030-12-05`. Redoc has a badge of its own for what is deprecated;
 * operations that are gone, or less than stable, get one too.
 * An address has its variables' defaults in their place, because Redoc takes `{base_url}` for a path of the page's host.
 * @param now Milliseconds since 1970.
 */
export function toShownContract<Contract extends object>(contract: Contract, now: number): Contract {
  return toShown(contract, createContext(contract as Node, now)) as Contract;
}

/** The instants at which a contract is shown differently from before: every `x-sunset` in it, in milliseconds since 1970. */
export function listSunsets(value: unknown): readonly number[] {
  if (typeof value !== "object" || value === null) return [];
  const { sunset } = readLifecycle(value);
  return [...(sunset === undefined ? [] : [sunset]), ...Object.values(value).flatMap(listSunsets)];
}

const OUTGOING = new Set(["callbacks", "webhooks"]);

interface ShownContext extends ErrorContext {
  readonly now: number;
  /** Within what the service sends itself: keys and limits are those of whoever receives it. */
  readonly isOutgoing?: boolean;
}

function createContext(document: Node, now: number): ShownContext {
  return { document, sharedErrors: listSharedErrors(document), now };
}

function toShown(value: unknown, context: ShownContext): unknown {
  const { document, now } = context;
  const show = (member: unknown) => toShown(member, context);
  if (Array.isArray(value)) return value.map(show);
  if (!isNode(value)) return value;
  const shown = mapMembers(value, (member, key) => {
    // In a schema, "examples" is an array of data; elsewhere it is a map of Example Objects.
    if (DATA.has(key) || (key === "examples" && Array.isArray(member))) return member;
    if (key === "servers" && Array.isArray(member)) return member.map(toShownServer);
    if (OUTGOING.has(key) && isNode(member))
      return mapMembers(member, (sent) => toShown(sent, { ...context, isOutgoing: true }));
    if (key === "paths" && isNode(member))
      return mapMembers(member, (item, path) => show(nameOperations(item, path)));
    if (key === "responses" && isNode(member)) return mapMembers(withErrorCodes(member, context), show);
    return NAME_MAPS.has(key) && isNode(member) ? mapMembers(member, show) : show(member);
  });
  const lifecycle = readLifecycle(value);
  const facts = [
    ...toFacts(value, lifecycle, now),
    ...(isOperation(value) && context.isOutgoing !== true
      ? [...toTrial(value), ...toOperationFacts(value, document)]
      : []),
  ];
  const own = getText(value, "description");
  const description = [facts.join(" · "), own && markDecisions(own)].filter(Boolean).join("\n\n");
  return {
    ...shown,
    ...(lifecycle.deprecated && facts.length > 0 && { deprecated: true }),
    ...(isOperation(value) && withBadges(value, lifecycle, now)),
    ...(description !== "" && { description }),
  };
}

/** Redoc takes the description's beginning for the name of an operation that has none, and with it what is added there. */
function nameOperations(item: unknown, path: string): unknown {
  if (!isNode(item)) return item;
  return mapMembers(item, (operation) => {
    if (!isNode(operation) || !isOperation(operation) || "summary" in operation || "operationId" in operation)
      return operation;
    return { ...operation, summary: getText(operation, "description")?.slice(0, 50) ?? path };
  });
}

function toShownServer(server: unknown): unknown {
  const url = isNode(server) ? toServerUrl(server) : undefined;
  return isNode(server) && url !== undefined ? { ...server, url } : server;
}

function toFacts(node: Node, lifecycle: Lifecycle, now: number): readonly string[] {
  const { stability, since, sunset, replacedBy } = lifecycle;
  const id = getText(node, "operationId");
  const facts = {
    operationId: id === undefined ? undefined : toCode(id),
    "**stability**": stability === "stable" ? undefined : stability,
    "**deprecated since**": since === undefined ? undefined : showInstant(since),
    [nameEnd(node, lifecycle, now)]: sunset === undefined ? undefined : showInstant(sunset),
    "**use instead**":
      replacedBy === undefined
        ? undefined
        : isOperation(node)
          ? toOperationLink(replacedBy)
          : toCode(replacedBy),
  };
  return Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [] : [`${name} ${fact}`]));
}

/** A link to the console, by the operation's name. */
function toTrial(node: Node): readonly string[] {
  const id = getText(node, "operationId");
  return id === undefined || !isOperation(node) ? [] : [`[Try it](try.html#operation/${toFragment(id)})`];
}

/** What is no operation is still taken after its end, as long as the contract has it. */
function nameEnd(node: Node, lifecycle: Lifecycle, now: number): string {
  if (!isGone(lifecycle, now)) return "**removed on**";
  return isOperation(node) ? "**gone since**" : "**ended on**";
}

/** Dark enough for the white text that Redoc writes on them (WCAG 2.2, 1.4.3). */
const GONE_COLOR = "#b3261e";
const STABILITY_COLOR = "#5b3f8f";

function withBadges(node: Node, lifecycle: Lifecycle, now: number): Node {
  const own = node["x-badges"];
  const { stability } = lifecycle;
  const badges = [
    ...(Array.isArray(own) ? (own as unknown[]) : []),
    ...(stability === "stable" ? [] : [{ name: stability, color: STABILITY_COLOR }]),
    ...(isGone(lifecycle, now) ? [{ name: "Gone", color: GONE_COLOR }] : []),
  ];
  return badges.length === 0 ? {} : { "x-badges": badges };
}

function isGone({ sunset }: Lifecycle, now: number): boolean {
  return sunset !== undefined && sunset <= now;
}

/** Nothing else has responses and a lifecycle. */
function isOperation(node: Node): boolean {
  return isNode(node["responses"]);
}

function getText(node: Node, key: string): string | undefined {
  return toText(getOwn(node, key));
}
