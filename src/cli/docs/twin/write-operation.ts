import { isReplacementUrl, type Lifecycle, showInstant } from "tenon/core/document";
import { type NamedSchema, type Operation, type OutgoingRequest, toServerUrl } from "tenon/core/model";
import { toPlainSource } from "../render/code.js";
import type { RenderContext } from "../render/context.js";
import { listOwnBadges } from "../render/extras.js";
import { toOperationId } from "../render/ids.js";
import { isGone } from "../render/lifecycle.js";
import { listCallFacts, REGISTERED, toLabel, toOutgoingLabel, toWholePath } from "../render/operation.js";
import { findFormat, listByPlace, toExampleText } from "../render/parameters.js";
import { readShape } from "../render/schema/shape.js";
import { joinBlocks, toFence, toHeading, toItem, toLine, toPlaceLink, toSpan } from "./blocks.js";
import { writeExternalDocs, writePhrase, writeText } from "./blocks.js";
import { writeList, writeRequestBody, writeResponse } from "./write-content.js";
import { writeNamed, writeSchema } from "./write-schema.js";

/** Level of the headings of operations, webhooks and schemas: below that of their group. */
const LEVEL = 3;

/** Writes an operation as Markdown, for readers that are programs. */
export function writeOperation(operation: Operation, context: RenderContext): string {
  const { method, lifecycle, description, callbacks, servers } = operation;
  const address = `${toSpan(method.toUpperCase())} ${toSpan(toWholePath(operation, context))}`;
  return joinBlocks(
    toHeading(LEVEL, toLabel(operation)),
    [address, ...listOwnBadges(operation, context)].join(" · "),
    writeLifecycle(lifecycle, context.now),
    writeText(description, LEVEL),
    writeExternalDocs(operation, context),
    listCallFacts(operation, context)
      .flatMap((fact) => toItem(writePhrase(fact)))
      .join("\n"),
    servers.length > 0 ? `At ${servers.map((server) => toSpan(toServerUrl(server))).join(" ")}` : undefined,
    writeSample(operation, context),
    writeDetails(operation, context, LEVEL + 1),
    ...callbacks.map((callback) => writeOutgoing(callback, context, "Callback")),
  );
}

/** Writes the first sample of code: the author's, or the shortest. */
function writeSample(operation: Operation, { toSamples, contract }: RenderContext): string | undefined {
  const [{ samples: [sample] } = { samples: [] }] = toSamples(operation);
  if (sample === undefined) return undefined;
  const source = toPlainSource(sample, contract.servers.map(toServerUrl));
  return joinBlocks(`${toLine(sample.label)}:`, toFence(source, sample.lang));
}

/** Writes a request that the service sends. */
export function writeOutgoing(
  request: OutgoingRequest,
  context: RenderContext,
  kind: "Webhook" | "Callback",
): string {
  const { name, expression, method, lifecycle, description } = request;
  const level = kind === "Webhook" ? LEVEL : LEVEL + 1;
  return joinBlocks(
    toHeading(level, toOutgoingLabel(request)),
    `${kind} ${toSpan(name)}: ${toSpan(method.toUpperCase())} ${expression === undefined ? REGISTERED : toSpan(expression)}`,
    writeLifecycle(lifecycle, context.now),
    writeText(description, level),
    writeExternalDocs(request, context),
    writeDetails(request, context, level + 1),
  );
}

/** Writes a component. */
export function writeNamedSchema({ name, schema }: NamedSchema, context: RenderContext): string {
  const { line, list } = writeSchema(schema, context.component, [name]);
  return joinBlocks(
    toHeading(LEVEL, name),
    writeText(readShape(schema, context.component).description, LEVEL),
    writeExternalDocs(schema, context),
    line,
    list,
  );
}

/** @param level Of its headings. */
function writeDetails(request: Operation | OutgoingRequest, context: RenderContext, level: number): string {
  const { requestBody, responses } = request;
  return joinBlocks(
    ...listByPlace(request).map(({ title, own }) =>
      writeList(
        toHeading(level, title),
        own.flatMap((parameter) => {
          const { name, required } = parameter;
          const format = findFormat(parameter);
          const example = toExampleText(parameter);
          const marks = [
            ...(format === undefined ? [] : [toSpan(format)]),
            ...(example === undefined ? [] : [`example ${toSpan(example)}`]),
          ];
          const value = { ...parameter, name: toSpan(name), required: required ? "required" : undefined };
          return writeNamed({ ...value, marks }, context.request);
        }),
      ),
    ),
    writeRequestBody(requestBody, context, level),
    responses.length > 0 ? toHeading(level, "Responses") : undefined,
    ...responses.map((response) => writeResponse(response, context, level + 1)),
  );
}

function writeLifecycle(lifecycle: Lifecycle | undefined, now: number): string | undefined {
  if (lifecycle === undefined) return undefined;
  const { deprecated, stability, since, sunset, replacedBy } = lifecycle;
  if (!deprecated)
    return stability === "stable" ? undefined : `This operation is **${stability}**: it may change.`;
  const hasEnded = isGone(lifecycle, now);
  const dates = [
    hasEnded ? "**Gone. Deprecated**" : "**Deprecated**",
    since === undefined ? "" : ` since ${showInstant(since)}`,
    sunset === undefined ? "" : `; ${hasEnded ? "was" : "will be"} removed on ${showInstant(sunset)}`,
  ];
  if (replacedBy === undefined) return `${dates.join("")}.`;
  const link = isReplacementUrl(replacedBy)
    ? toSpan(replacedBy)
    : toPlaceLink(replacedBy, toOperationId({ id: replacedBy }));
  return `${dates.join("")}. Use ${link} instead.`;
}
