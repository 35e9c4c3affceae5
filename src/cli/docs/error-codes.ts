import { isNode, type Node, toArray, toText } from "tenon/core/legacy/document";
import { getMember, getOwn } from "tenon/core/document/pointer";
import { toMediaKind } from "tenon/core/http/media-type";
import { follow } from "./follow.js";
import { escapeMarkdown, toCode } from "./markdown.js";

/** What a program tells an error by, and what it means where that is said. */
interface ErrorCode {
  readonly code: string;
  readonly meaning?: string | undefined;
}

/** Statuses of errors, as keys of `responses`. */
const ERROR = /^[45]|^default$/;

/** The responses that a contract's operations refer to as errors. */
export function listSharedErrors(document: Node): ReadonlySet<Node> {
  const items = Object.values(isNode(document["paths"]) ? document["paths"] : {});
  const operations = items.flatMap((item) => (isNode(item) ? Object.values(item) : [])).filter(isNode);
  const errors = operations.flatMap(({ responses }): readonly Node[] => {
    const declared = Object.entries(isNode(responses) ? responses : {});
    return declared.flatMap(([status, response]) => {
      const isShared = ERROR.test(status) && isNode(response) && "$ref" in response;
      const target = isShared ? follow(response, document) : undefined;
      return target === undefined ? [] : [target];
    });
  });
  return new Set(errors);
}

export interface ErrorContext {
  readonly document: Node;
  /** Those of the document that are errors, whatever they are called where they are declared. */
  readonly sharedErrors: ReadonlySet<Node>;
}

/**
 * Responses, of which those that are errors name the codes of their bodies, unless their author does:
 * ``The API key is missing or invalid. · `unauthorized` ``, or a list where there are several. A code is what examples have as `code` or
 * `error.code`, or, of problem details (RFC 9457), as `type`; else the values that the schema has there.
 */
export function withErrorCodes(responses: Node, { document, sharedErrors }: ErrorContext): Node {
  const changed = Object.entries(responses).map(([status, response]) => {
    if (!isNode(response) || "$ref" in response) return [status, response] as const;
    const codes = ERROR.test(status) || sharedErrors.has(response) ? readCodes(response, document) : [];
    const own = toText(response["description"]) ?? "";
    if (codes.every(({ code }) => own.includes(code))) return [status, response] as const;
    return [status, { ...response, description: tellCodes(own, codes) }] as const;
  });
  return Object.fromEntries(changed);
}

/** Where codes are, from the body on. */
const PLACES = [["code"], ["error", "code"]];
const PROBLEM_PLACES = [["type"], ...PLACES];

/** More of them are the list of all that a service has, which says nothing of one response. */
const FEW = 8;

function readCodes(response: Node, document: Node): readonly ErrorCode[] {
  const content = getOwn(response, "content");
  const found = Object.entries(isNode(content) ? content : {}).flatMap(([name, mediaType]) => {
    if (toMediaKind(name) !== "json" || !isNode(mediaType)) return [];
    const places = name.includes("problem+json") ? PROBLEM_PLACES : PLACES;
    return places.flatMap((place) => readAt(place, mediaType, document));
  });
  const byCode = new Map(found.map((one) => [one.code, one]));
  return [...byCode.values()];
}

function readAt(place: readonly string[], mediaType: Node, document: Node): readonly ErrorCode[] {
  const schema = place.reduce<Node | undefined>(
    (parent, name) => parent && findProperty(parent, name, document),
    follow(mediaType["schema"], document),
  );
  const described = schema && getOwn(schema, "x-enumDescriptions");
  const tell = (value: unknown, meaning?: string): readonly ErrorCode[] => {
    if (typeof value !== "string" && typeof value !== "number") return [];
    const said = isNode(described) ? toText(getOwn(described, String(value))) : undefined;
    return [{ code: String(value), meaning: said ?? meaning }];
  };
  const examples = readExamples(mediaType, document).flatMap(({ value, meaning }) =>
    tell(place.reduce<unknown>(getMember, value), meaning),
  );
  if (examples.length > 0 || schema === undefined) return examples;
  const values = "const" in schema ? [schema["const"]] : toArray(schema["enum"]);
  return values.length > FEW ? [] : values.flatMap((value) => tell(value));
}

function readExamples(
  mediaType: Node,
  document: Node,
): readonly { value: unknown; meaning?: string | undefined }[] {
  const several = getOwn(mediaType, "examples");
  const named = Object.values(isNode(several) ? several : {}).flatMap((reference) => {
    const example = follow(reference, document);
    if (example === undefined || !("value" in example)) return [];
    return [
      { value: example["value"], meaning: toText(example["description"]) ?? toText(example["summary"]) },
    ];
  });
  return "example" in mediaType ? [{ value: mediaType["example"] }, ...named] : named;
}

/** A property of a schema, or of what it is composed of. */
function findProperty(schema: Node, name: string, document: Node, depth = 0): Node | undefined {
  const properties = getOwn(schema, "properties");
  const own = isNode(properties) ? follow(getOwn(properties, name), document) : undefined;
  // Deeper, references lead in a circle.
  if (own !== undefined || depth > 8) return own;
  const parts = toArray(schema["allOf"]).map((part) => follow(part, document));
  return parts.map((part) => part && findProperty(part, name, document, depth + 1)).find(Boolean);
}

/** One belongs to the first paragraph, several are a list behind it. */
function tellCodes(description: string, codes: readonly ErrorCode[]): string {
  const [first = "", ...others] = description.trimEnd().split(/\n[ \t]*\n/);
  const [only, ...more] = codes;
  if (only !== undefined && more.length === 0)
    return [[first, toCode(only.code)].filter((text) => text !== "").join(" · "), ...others].join("\n\n");
  const list = codes.map(({ code, meaning }) =>
    meaning === undefined ? `- ${toCode(code)}` : `- ${toCode(code)}: ${escapeMarkdown(meaning.trim())}`,
  );
  return [first, list.join("\n"), ...others].filter((text) => text !== "").join("\n\n");
}
