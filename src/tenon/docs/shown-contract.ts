import { type Lifecycle, readLifecycle } from "../contract/lifecycle.js";
import { showInstant } from "../contract/to-instant.js";

type Node = Readonly<Record<string, unknown>>;

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
  return toShown(contract, now) as Contract;
}

/** The instants at which a contract is shown differently from before: every `x-sunset` in it, in milliseconds since 1970. */
export function listSunsets(value: unknown): readonly number[] {
  if (typeof value !== "object" || value === null) return [];
  const { sunset } = readLifecycle(value);
  return [...(sunset === undefined ? [] : [sunset]), ...Object.values(value).flatMap(listSunsets)];
}

/** @param isSent By the service, as webhooks and callbacks are: no reader can try it. */
function toShown(value: unknown, now: number, isSent = false): unknown {
  const show = (member: unknown, key?: string) =>
    toShown(member, now, isSent || key === "callbacks" || key === "webhooks");
  if (Array.isArray(value)) return value.map((item) => show(item));
  if (!isNode(value)) return value;
  const shown = mapMembers(value, (member, key) => {
    // In a schema, "examples" is an array of data; elsewhere it is a map of Example Objects.
    if (DATA.has(key) || (key === "examples" && Array.isArray(member))) return member;
    if (key === "servers" && Array.isArray(member)) return member.map(toShownServer);
    return NAME_MAPS.has(key) && isNode(member)
      ? mapMembers(member, (named) => show(named, key))
      : show(member, key);
  });
  const lifecycle = readLifecycle(value);
  const facts = [...toFacts(value, lifecycle, now), ...(isSent ? [] : toTrial(value))];
  if (facts.length === 0) return shown;
  const description = [facts.join(" · "), getText(value, "description")];
  return {
    ...shown,
    ...(lifecycle.deprecated && { deprecated: true }),
    ...(isOperation(value) && withBadges(value, lifecycle, now)),
    description: description.filter((text) => text !== undefined).join("\n\n"),
  };
}

function toShownServer(server: unknown): unknown {
  if (!isNode(server)) return server;
  const variables = isNode(server["variables"]) ? server["variables"] : {};
  const url = getText(server, "url")?.replaceAll(/\{([^{}]+)\}/g, (template, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return (isNode(variable) ? getText(variable, "default") : undefined) ?? template;
  });
  return { ...server, ...(url !== undefined && { url }) };
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
      replacedBy === undefined ? undefined : isOperation(node) ? toLink(replacedBy) : toCode(replacedBy),
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

/** What replaces an operation is one too, by its `operationId`. */
function toLink(operationId: string): string {
  return `[${escapeMarkdown(operationId)}](#operation/${toFragment(operationId)})`;
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

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function getText(node: Node, key: string): string | undefined {
  const value = Object.hasOwn(node, key) ? node[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** `Object.fromEntries` keeps a member called `__proto__` a member. */
function mapMembers(node: Node, map: (member: unknown, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, map(member, key)]));
}

/**
 * A backslash before punctuation makes it text (CommonMark 0.31, section 2.4). What has a meaning only where a line
 * starts, as in the dashes of a date, stays as it is: search indexes the Markdown.
 */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[!&()*:<>@[\\\]_`{|}~]/g, "\\$&").replaceAll(/\s+/g, " ");
}

/** Nothing can be escaped within code, so a text that would end it goes without. */
function toCode(text: string): string {
  return /[`\s]/.test(text) ? escapeMarkdown(text) : `\`${text}\``;
}

/** `encodeURIComponent` refuses lone surrogates and leaves parentheses, which would end the link. */
function toFragment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*_~]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
