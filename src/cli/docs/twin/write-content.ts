import type { MediaType, RequestBody, Response } from "tenon/core/model";
import type { SchemaView } from "../../values/index.js";
import type { RenderContext } from "../render/context.js";
import { listResponseLinks } from "../render/extras.js";
import { hasExamples, introduceItems, listExamples, toLanguage, toTitle } from "../render/responses.js";
import { listErrorCodes } from "../texts/error-codes.js";
import { joinBlocks, toFence, toHeading, toItem, toLine, toSpan, writePhrase, writeText } from "./blocks.js";
import { writeNamed, writeSchema } from "./write-schema.js";

/** @param level Of its heading. */
export function writeRequestBody(body: RequestBody | undefined, context: RenderContext, level: number) {
  if (body === undefined) return undefined;
  const { required, description, mediaTypes } = body;
  return joinBlocks(
    toHeading(level, `Request body${required ? " (required)" : ""}`),
    writeText(description, level),
    ...mediaTypes.flatMap((mediaType) => [
      writeMediaType(mediaType, context.request),
      // Its author's only: the service's are for responses.
      hasExamples(mediaType) ? writeExamples(mediaType, context) : undefined,
    ]),
  );
}

/** @param level Of its heading. */
export function writeResponse(response: Response, context: RenderContext, level: number): string {
  const { status, summary, description = summary, headers, mediaTypes, links } = response;
  const { registry } = context.contract;
  return joinBlocks(
    toHeading(level, toTitle(status)),
    writeText(description, level),
    writeList(
      "Codes:",
      listErrorCodes(response, registry).flatMap(({ code, meaning }) => toItem(toSpan(code), meaning)),
    ),
    writeList(
      "Headers:",
      headers.flatMap(({ name, required, ...header }) =>
        writeNamed(
          { ...header, name: toSpan(name), required: required ? "always" : undefined },
          context.response,
        ),
      ),
    ),
    ...mediaTypes.flatMap((mediaType) => [
      writeMediaType(mediaType, context.response),
      writeExamples(mediaType, context),
    ]),
    writeList(
      "Links:",
      listResponseLinks(links, context).flatMap(({ text, description: about }) =>
        toItem(writePhrase(text), writeText(about, 5)),
      ),
    ),
  );
}

export function writeList(title: string, lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : joinBlocks(title, lines.join("\n").trimEnd());
}

function writeMediaType({ name, schema, items }: MediaType, view: SchemaView): string {
  const own = items?.schema ?? schema;
  const { line, list } = own === undefined ? { line: "", list: "" } : writeSchema(own, view);
  const about = [...(items === undefined ? [] : [introduceItems(items)]), line].join(" ").trim();
  return joinBlocks(`${toSpan(name)}${about === "" ? "" : `: ${about}`}`, list);
}

/** Writes the examples of a media type by their names. One alone may have none. */
function writeExamples(mediaType: MediaType, { values }: RenderContext): string {
  const language = toLanguage(mediaType.name) ?? (mediaType.items?.format === "lines" ? "json" : undefined);
  return joinBlocks(
    ...listExamples(mediaType, values).flatMap(({ name, description, text }) => [
      /^(?:default|example)$/i.test(name) ? "Example:" : `Example: ${toLine(name)}`,
      writeText(description, 5),
      text === "" ? undefined : toFence(text, language),
    ]),
  );
}
