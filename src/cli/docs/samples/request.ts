import { type WrittenParameters, writeParameters } from "tenon/client/parameters";
import { type Field, toFields, writeBody } from "tenon/client/request-body";
import type { Operation } from "tenon/core/legacy/model";
import type { SchemePlace } from "../../generate/security-schemes.js";
import { toMediaKind } from "tenon/core/http/media-type";
import { isObject } from "../../values/schema.js";
import {
  type Place,
  PLACES,
  type TargetContent,
  type TargetOperation,
  type TargetParameter,
  toParameterKey,
} from "../../verify/target.js";
import { toStyles, toUrlPath } from "../../verify/http/write-request.js";
import { chooseCredentials, type SampleCredential } from "./credentials.js";
import type { SampleValues } from "./values.js";

/** A call of an operation, of which every sample is a form. */
export interface SampleRequest {
  readonly operation: Pick<TargetOperation, "method" | "path" | "body">;
  /** By place and name, before they are written. */
  readonly values: Readonly<Partial<Record<Place, Readonly<Record<string, unknown>>>>>;
  /** As they go out. */
  readonly written: WrittenParameters;
  readonly body?: SampleBody;
  readonly credentials: readonly SampleCredential[];
}

export interface SampleBody {
  readonly mediaType: string;
  /** As the generated client takes it; the files of a form are texts. */
  readonly value: unknown;
  /** As it goes out: a text, or the parts of a multipart form. */
  readonly sent: string | readonly SamplePart[];
}

/** A field of a form. */
export interface SamplePart {
  readonly name: string;
  readonly text: string;
  /** Of a file. */
  readonly mediaType?: string;
}

export interface RequestSource {
  readonly values: SampleValues;
  readonly schemes: Readonly<Record<string, SchemePlace>>;
}

/**
 * What an operation is called with in samples: what it requires, from the author's examples or else made up, and a few
 * examples of what it does not.
 * @param model Of the same operation.
 * @returns undefined when there is no such call, because nobody can make up a value or a body of its media type for one.
 */
export function buildRequest(
  operation: TargetOperation,
  model: Operation,
  source: RequestSource,
): SampleRequest | undefined {
  const { shapes, path, security } = operation;
  if (shapes.length === 0) return undefined;
  try {
    const values = toValues(operation, model, source);
    const content = chooseContent(operation);
    return {
      operation,
      values,
      written: writeParameters(toUrlPath(path), values, { parameters: toStyles(operation) }),
      ...(content && { body: toBody(content, source) }),
      credentials: chooseCredentials(security, source.schemes),
    };
  } catch (error) {
    // What nothing can be made up for, a value that its style cannot say, and half of a surrogate pair.
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

/** How many parameters that are not required a sample has. */
const OPTIONAL_PARAMETERS = 2;

function toValues(
  { parameters }: TargetOperation,
  model: Operation,
  { values: { make, defaultOf } }: RequestSource,
): SampleRequest["values"] {
  const settled = new Set(model.parameters.filter((one) => one.lifecycle === undefined).map(toParameterKey));
  // Headers and cookies are for those who know why, and an example that is the default says nothing.
  const isHelpful = (parameter: TargetParameter) =>
    parameter.in === "query" &&
    parameter.examples.length > 0 &&
    settled.has(toParameterKey(parameter)) &&
    JSON.stringify(parameter.examples[0]) !== JSON.stringify(defaultOf(parameter.schema));
  const optional = parameters.filter((parameter) => !parameter.required && isHelpful(parameter));
  const chosen = new Set(optional.slice(0, OPTIONAL_PARAMETERS));

  const sent = parameters.filter((parameter) => parameter.required || chosen.has(parameter));
  return Object.fromEntries(
    PLACES.flatMap((place) => {
      const own = sent.filter((parameter) => parameter.in === place);
      const pairs = own.map(({ name, schema, examples }) => {
        const value = examples.length > 0 ? examples[0] : make(schema, name);
        if (value === undefined) throw new TypeError(`Nothing can be made up for "${name}"`);
        return [name, value] as const;
      });
      return own.length === 0 ? [] : [[place, Object.fromEntries(pairs)]];
    }),
  );
}

/** JSON where it is declared, as in the client; else the first media type that can be written. */
function chooseContent({ body, shapes }: TargetOperation): TargetContent | undefined {
  const writable = (body?.content ?? []).filter(({ mediaType }) =>
    shapes.some((shape) => shape.mediaType === mediaType),
  );
  return writable.find(({ mediaType }) => mediaType === "application/json") ?? writable[0];
}

type Styles = NonNullable<Parameters<typeof writeBody>[2]["fields"]>;

function toBody(content: TargetContent, { values }: RequestSource): SampleBody {
  const { mediaType, examples, schema } = content;
  const kind = toMediaKind(mediaType);
  const made = examples.length > 0 ? examples[0] : schema === undefined ? "text" : values.make(schema, "");
  const isPlain = kind === "text" || kind === "binary";
  const value = isPlain && typeof made !== "string" ? JSON.stringify(made) : made;
  if (kind === "multipart" && isObject(value)) {
    const form = examples.length > 0 ? value : withTexts(value, content);
    return { mediaType, value: form, sent: Object.entries(form).flatMap((entry) => toParts(entry, content)) };
  }
  const fields = content.fields as Styles;
  const { body } = writeBody(value, mediaType, { mediaTypes: [mediaType], fields });
  if (typeof body !== "string") throw new TypeError(`Nothing can be made up for ${mediaType}`);
  return { mediaType, value, sent: body };
}

/** What is made up for a file is made by the name of its field, and may be anything. */
function withTexts(form: Readonly<Record<string, unknown>>, { files = {} }: TargetContent) {
  const members = Object.entries(form).map(([name, member]) => {
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    if (file === undefined) return [name, member] as const;
    return [name, file.several ? [FILE_TEXT] : FILE_TEXT] as const;
  });
  return Object.fromEntries(members);
}

const FILE_TEXT = "contents";

/** What the contract says is a file goes as one, whatever its value is. */
function toParts(
  [name, value]: readonly [string, unknown],
  { files = {}, fields = {} }: TargetContent,
): readonly SamplePart[] {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) return toFields({ [name]: value }, fields as Styles).map(decode);
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.map((text) => ({ name, text: toFileText(text), mediaType: file.mediaType }));
}

/** An example may be anything. */
export function toFileText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A field that is no file is a text. */
function decode([name, text]: Field): SamplePart {
  return { name: decodeURIComponent(name), text: typeof text === "string" ? decodeURIComponent(text) : "" };
}
