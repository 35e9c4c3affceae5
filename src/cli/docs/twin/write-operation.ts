import { showInstant } from "tenon/core/document";
import type { MediaType, Operation } from "tenon/core/model";
import type { RenderContext } from "../render/context.js";
import { toLabel } from "../render/operation.js";
import { listExamples } from "../render/responses.js";
import type { SampleValues } from "../samples/sample-values.js";
import type { SchemaView } from "../../values/index.js";
import { toCode, toFirstParagraph } from "../texts/markdown.js";
import { writeSchema, writeValue } from "./write-schema.js";

/** Writes an operation as Markdown, for readers that are programs. */
export function writeOperation(operation: Operation, context: RenderContext): string {
  const { id, method, path, description, lifecycle, parameters, requestBody, responses } = operation;
  const base = operation.basePaths?.[0] ?? context.contract.basePath;
  const blocks = [
    `## ${toLabel(operation)}`,
    `${toCode(method.toUpperCase())} ${toCode(base + path)} · operationId ${toCode(id)}`,
    lifecycle?.deprecated === true
      ? `**Deprecated**${lifecycle.sunset === undefined ? "" : `, removed on ${showInstant(lifecycle.sunset)}`}.`
      : undefined,
    description?.trim(),
    writeSecurity(operation),
    writeList(
      "Parameters:",
      parameters.flatMap(({ name, in: place, schema, required, description: text }) =>
        writeValue(`${place} ${toCode(name)}`, schema, context.request, { required, description: text }),
      ),
    ),
    ...(requestBody?.mediaTypes ?? []).map((mediaType) =>
      writeBody(
        `Request body${requestBody?.required === true ? ", required" : ""}`,
        mediaType,
        context.request,
      ),
    ),
    ...responses.flatMap(({ description: about = "", status, mediaTypes }) => {
      const text = toFirstParagraph(about);
      const title = `${toCode(status)}${text === "" ? "" : ` ${text}`}`;
      if (mediaTypes.length === 0) return title;
      return mediaTypes.map((one) => writeBody(title, one, context.response, context.values));
    }),
  ];
  return `${blocks.filter((block) => block !== undefined && block !== "").join("\n\n")}\n`;
}

function writeSecurity({ security }: Operation): string | undefined {
  if (security.length === 0) return undefined;
  const alternatives = security.map(
    (requirement) => Object.keys(requirement).map(toCode).join(" and ") || "nothing",
  );
  return `Needs ${alternatives.join(" or ")}.`;
}

function writeList(title: string, lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : `${title}\n\n${lines.join("\n")}`;
}

/** @param values For an example. Default: the text has none. */
function writeBody(title: string, mediaType: MediaType, view: SchemaView, values?: SampleValues): string {
  const { name, schema, items } = mediaType;
  const own = items?.schema ?? schema;
  const lines = own === undefined ? [] : writeSchema(own, view);
  const [example] = values === undefined ? [] : listExamples(mediaType, values);
  return [
    `${title} (${toCode(name)})${lines.length > 0 ? ":" : ""}`,
    lines.join("\n"),
    example === undefined ? "" : toFence(example.text),
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

/** A fence is longer than any within the text. */
function toFence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}
