import { parseExactJson } from "tenon/core/json";
import { coversEssence, toEssence, toMediaKind } from "tenon/core/http";
import type { MediaType, Operation } from "tenon/core/model";
import {
  listShapes,
  LOCATIONS,
  type RequestParts,
  type RequestShape,
  type RequestValue,
} from "../../verify/messages/index.js";
import type { Callable } from "./callable.js";
import { type Field, toParameterKey } from "./fields.js";
import { formatJson, JsonMistake } from "./json-text.js";
import { readField } from "./read-field.js";

/** What a reader gave for one field. */
export interface GivenField {
  readonly field: Field;
  /** Of a field that is no file. */
  readonly text: string;
  readonly files: readonly File[];
}

/** A body: text as it goes out, a file, or the fields of a form. */
export type GivenBody = { readonly mediaType: string } & (
  { readonly text: string } | { readonly file: File } | { readonly fields: readonly GivenField[] }
);

export interface Given {
  /** Those that are to be sent. */
  readonly parameters: readonly GivenField[];
  readonly body: GivenBody | undefined;
}

/** Something about a request that its contract does not allow. */
export interface Mistake {
  /** `query/limit`, `form/photo`, `body`; undefined where it is of no field. */
  readonly key: string | undefined;
  readonly message: string;
  /** As `verify` names it: `maximum`. */
  readonly keyword: string;
}

/** The keyword of a number that JavaScript cannot keep: the contract may well allow it. */
export const INEXACT = "inexact number";

/** A call in the forms that are written and validated. */
export interface Call {
  readonly parts: RequestParts;
  /** The same as the contract's schemas see it, under the schema of `shape`. */
  readonly judged: { readonly shape: RequestShape; readonly value: RequestValue };
  /** What is wrong already before a schema is asked. */
  readonly mistakes: readonly Mistake[];
  /** Why the body is not validated; undefined where it is, or where there is none. */
  readonly unjudged: string | undefined;
}

/** Turns what a reader gave into a call. */
export function toCall(callable: Callable, { parameters, body }: Given): Call {
  const { operation } = callable;
  const mistakes: Mistake[] = [];
  const read = (given: GivenField) => readGiven(given, mistakes);
  const pairs = parameters.map((given) => ({ ...given.field, ...read(given) }));
  const group = (key: "sent" | "judged") => {
    const places = LOCATIONS.flatMap((place) => {
      const declared = operation.parameters.some((parameter) => parameter.in === place);
      const own = pairs.filter((pair) => pair.place === place).map((pair) => [pair.name, pair[key]] as const);
      return declared ? [[place, Object.fromEntries(own)] as const] : [];
    });
    return Object.fromEntries(places) as RequestValue;
  };
  reportMissing(callable, parameters, body, mistakes);
  const written = body && readBody(body, mistakes, read);
  const mediaType = body && findDeclared(operation, body.mediaType);
  const shapes = listShapes(operation);
  const shape =
    body === undefined ? (shapes[0] ?? callable.bodiless) : shapes.find((one) => one.mediaType === mediaType);
  const isJudged = body === undefined || (shape !== undefined && written?.judged !== undefined);
  return {
    parts: {
      operation,
      shape: {
        schema: callable.bodiless.schema,
        ...(body && mediaType && { mediaType: { ...mediaType, name: body.mediaType } }),
      },
      value: { ...group("sent"), ...(written && "sent" in written && { body: written.sent }) },
      ...(written?.raw !== undefined && {
        raw: { contentType: body?.mediaType ?? "", text: written.raw },
      }),
    },
    judged: {
      shape: (isJudged ? shape : undefined) ?? callable.bodiless,
      value: { ...group("judged"), ...(isJudged && written && { body: written.judged }) },
    },
    mistakes,
    unjudged: isJudged ? undefined : `a body of ${body.mediaType} is not judged`,
  };
}

function readGiven({ field, text, files }: GivenField, mistakes: Mistake[]) {
  const names = files.map(({ name }) => name);
  if (field.kind === "file") return { sent: files[0], judged: names[0] };
  if (field.kind === "files") return { sent: files, judged: names };
  const { mistake, ...value } = readField(field, text);
  if (mistake !== undefined) mistakes.push({ key: field.key, message: mistake, keyword: "malformed JSON" });
  return value;
}

interface ReadBody {
  readonly sent?: unknown;
  /** Sent as it stands, in place of `sent`. */
  readonly raw?: string;
  /** Undefined: no schema can validate it. */
  readonly judged: unknown;
}

function readBody(
  body: GivenBody,
  mistakes: Mistake[],
  read: (given: GivenField) => { readonly sent: unknown; readonly judged: unknown },
): ReadBody {
  if ("file" in body) return { sent: body.file, judged: undefined };
  if ("text" in body) {
    const kind = toMediaKind(body.mediaType);
    const judged = kind === "json" ? readJson(body.text, mistakes) : body.text;
    return { raw: body.text, judged };
  }
  const pairs = body.fields.map((given) => [given.field.name, read(given)] as const);
  return {
    sent: Object.fromEntries(pairs.map(([name, { sent }]) => [name, sent])),
    judged: Object.fromEntries(pairs.map(([name, { judged }]) => [name, judged])),
  };
}

function readJson(text: string, mistakes: Mistake[]): unknown {
  try {
    formatJson(text);
    return parseExactJson(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    const isJson = !(error instanceof JsonMistake);
    const told = isJson ? `The body ${message}; it is sent as it stands` : `The body is not JSON. ${message}`;
    mistakes.push({ key: "body", message: told, keyword: isJson ? INEXACT : "malformed JSON" });
    return undefined;
  }
}

function reportMissing(
  { operation }: Callable,
  parameters: readonly GivenField[],
  body: GivenBody | undefined,
  mistakes: Mistake[],
): void {
  const given = new Set(parameters.map(({ field }) => field.key));
  for (const parameter of operation.parameters) {
    const { name, in: place, required } = parameter;
    const key = toParameterKey(parameter);
    if (!required || given.has(key)) continue;
    mistakes.push({
      key,
      message: `The ${place} parameter "${name}" is required`,
      keyword: `required ${name}`,
    });
  }
  if (operation.requestBody?.required === true && body === undefined)
    mistakes.push({ key: "body", message: "A body is required", keyword: "required body" });
}

/** The declared media type of a body; an exact one before a range. */
function findDeclared({ requestBody }: Operation, name: string): MediaType | undefined {
  const mediaTypes = requestBody?.mediaTypes ?? [];
  return (
    mediaTypes.find((mediaType) => mediaType.name === name) ??
    mediaTypes.find((mediaType) => coversEssence(toEssence(mediaType.name), toEssence(name)))
  );
}
