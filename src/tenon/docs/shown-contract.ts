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
 * The contract as the pages show it. Each operation's name, and what `x-stability-level`, `x-deprecated-since`, `x-sunset`
 * and `x-replaced-by` say, become the first line of the description. There Redoc's search finds it, and it can link.
 * `operationId: getPet`, `x-sunset: "2030-12-05"`, `x-replaced-by: listPets` become
 * ``operationId `getPet` · **removed on** 2030-12-05 · **use instead** [listPets](#operation/listPets)``
 * An address has its variables' defaults in their place, because Redoc takes `{base_url}` for a path of the page's host.
 */
export function toShownContract<Contract extends object>(contract: Contract): Contract {
  return toShown(contract) as Contract;
}

function toShown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShown);
  if (!isNode(value)) return value;
  const shown = mapMembers(value, (member, key) => {
    // In a schema, "examples" is an array of data; elsewhere it is a map of Example Objects.
    if (DATA.has(key) || (key === "examples" && Array.isArray(member))) return member;
    if (key === "servers" && Array.isArray(member)) return member.map(toShownServer);
    return NAME_MAPS.has(key) && isNode(member) ? mapMembers(member, toShown) : toShown(member);
  });
  const facts = toFacts(value);
  if (facts.length === 0) return shown;
  const description = [facts.join(" · "), getText(value, "description")];
  return { ...shown, description: description.filter((text) => text !== undefined).join("\n\n") };
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

function toFacts(node: Node): readonly string[] {
  const facts: string[] = [];
  const tell = (key: string, toFact: (value: string) => string) => {
    const value = getText(node, key);
    if (value !== undefined) facts.push(toFact(value));
  };
  tell("operationId", (name) => `operationId ${toCode(name)}`);
  tell("x-stability-level", (level) => `**stability** ${escapeMarkdown(level)}`);
  tell("x-deprecated-since", (date) => `**deprecated since** ${escapeMarkdown(date)}`);
  tell("x-sunset", (date) => `**removed on** ${escapeMarkdown(date)}`);
  tell(
    "x-replaced-by",
    (name) => `**use instead** [${escapeMarkdown(name)}](#operation/${toFragment(name)})`,
  );
  return facts;
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
