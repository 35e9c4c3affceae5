import { toFieldStyles, toFormStyles, toStyles, toUrlPath } from "../client/styles.js";
import { toSentParts } from "../client/parts.js";
import { writeBody, writeContent } from "../client/request-body.js";
import { writeParameters } from "../client/parameters.js";
import { isNode } from "../core/document/index.js";
import { toMediaKind } from "../core/http/media-type.js";
import type { MediaType } from "../core/model/index.js";
import type { Argument, Tool } from "./tools.js";

/** A request of HTTP. */
export interface ToolRequest {
  readonly method: string;
  /** Path below the contract's base path, with its query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
}

/**
 * Writes a call of a tool as the request that it stands for. Values are not validated: the service does that.
 * @throws {TypeError | URIError} when there is no such argument, and for a value that cannot be written, with the reason.
 */
export async function writeToolRequest(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolRequest> {
  const { operation, mediaType, arguments: known } = tool;
  const other = Object.keys(given).find((name) => !known.some((one) => one.name === name));
  if (other !== undefined) {
    const names = known.map(({ name }) => name).join(", ");
    throw new TypeError(
      `There is no argument "${other}". ${names === "" ? "There are none." : `The arguments are: ${names}.`}`,
    );
  }
  // Only own members: `constructor` is an argument where a parameter is called so.
  const sent = known.filter(({ name }) => Object.hasOwn(given, name) && given[name] !== undefined);
  const collect = (place: Argument["in"]) =>
    Object.fromEntries(
      sent.filter((one) => one.in === place).map(({ name, target }) => [target, given[name]]),
    );
  const values = Object.fromEntries(
    (["path", "query", "querystring", "header", "cookie"] as const).map((place) => [place, collect(place)]),
  );
  const written = writeParameters(toUrlPath(operation.path), values, { parameters: toStyles(operation) });
  const whole = sent.find((one) => one.in === "body");
  const members = collect("member");
  const hasMembers = Object.keys(members).length > 0 || operation.requestBody?.required === true;
  const isObject = known.some((one) => one.in === "member");
  const value = whole !== undefined ? given[whole.name] : isObject && hasMembers ? members : undefined;
  const body = mediaType && value !== undefined ? await encode(value, mediaType) : undefined;
  const query = written.query.map((pair) => pair.join("=")).join("&");
  return {
    method: operation.method.toUpperCase(),
    target: query === "" ? written.path : `${written.path}?${query}`,
    headers: [
      ...written.headers,
      ...(written.cookies.length > 0
        ? [["Cookie", written.cookies.map((pair) => pair.join("=")).join("; ")] as const]
        : []),
      ...(body ? [["Content-Type", body.contentType] as const] : []),
    ],
    body: body?.bytes,
  };
}

async function encode(given: unknown, mediaType: MediaType) {
  const { name, form } = mediaType;
  const value =
    toMediaKind(name) === "binary" && mediaType.items === undefined
      ? fromBase64(given, "body")
      : toFiles(given, typeof form === "object" ? form : undefined);
  const styles = {
    ...(typeof form === "object" && toFormStyles(form.fields)),
    ...toFieldStyles(mediaType),
  };
  const written = writeBody(value, name, {
    mediaTypes: [name],
    fields: styles,
    writeContent,
    ...toSentParts(mediaType),
  });
  const response = new Response(written.body);
  const contentType = written.contentType ?? response.headers.get("content-type") ?? name;
  return { bytes: new Uint8Array(await response.arrayBuffer()), contentType };
}

type Form = Exclude<MediaType["form"], string | undefined>;

/** Decodes the files of a form. */
function toFiles(value: unknown, form: Form | undefined): unknown {
  if (form === undefined || !isNode(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const field = form.fields.find((one) => one.name === name);
    const type = field?.mediaTypes[0];
    const toFile = (text: unknown) =>
      new File([fromBase64(text, name)], name, type === undefined ? {} : { type });
    if (field?.type === "file") return [name, toFile(member)];
    if (field?.type === "files" && Array.isArray(member)) return [name, member.map(toFile)];
    return [name, member];
  });
  return Object.fromEntries(members);
}

function fromBase64(text: unknown, name: string): Uint8Array<ArrayBuffer> {
  if (typeof text === "string")
    try {
      return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    } catch {
      // Refused below.
    }
  throw new TypeError(`The argument "${name}" must be text in Base64`);
}
