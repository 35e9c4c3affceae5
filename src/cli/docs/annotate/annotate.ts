import {
  getByPointer,
  isNode,
  joinPointer,
  type Lifecycle,
  type Node,
  showInstant,
  toArray,
} from "tenon/core/document";
import { type Contract, type Operation, toServerUrl } from "tenon/core/model";
import { type CodeSample, hasSample } from "../samples/index.js";
import { listDecisions, markDecisions } from "./decisions.js";
import { type Edit, editDocument } from "./edit-document.js";
import { describeError, listErrors } from "./error-codes.js";
import { listTexts, type TextNode } from "./list-texts.js";
import { toCode, toFragment, toOperationLink } from "./markdown.js";
import { toOperationNotes } from "./operation-notes.js";

export interface AnnotateOptions {
  /** Address of the running service, which is shown as the first server. Default: unknown. */
  readonly service?: string | undefined;
  /** Markdown before the contract's description. Default: none. */
  readonly introduction?: string | undefined;
  /** Samples of code, by operation; they follow those of the author. Default: none. */
  readonly samples?: ReadonlyMap<Operation, readonly CodeSample[]>;
}

/** A contract with the notes that Redoc has no place for. */
export interface AnnotatedContract {
  /** Every `x-sunset` in the contract, in milliseconds since 1970: from then on it is shown differently. */
  readonly sunsets: readonly number[];
  /** @param now Milliseconds since 1970. */
  readonly at: (now: number) => Node;
}

/**
 * Adds notes to a contract that Redoc shows. Each operation's name and each lifecycle become the first line of the description.
 * There Redoc's search finds it, and it can link. `operationId: getPet`, `deprecated: true`, `x-sunset: "2030-12-05"`,
 * `x-replaced-by: listPets` become
 * ``operationId `getPet` · **removed on** 2030-12-05 · **use instead** [listPets](#operation/listPets) · [Try it](…)``,
 * and from that day on, when the response is 410, `**gone since** 2030-12-05`. Redoc has a badge for deprecated operations;
 * operations that are gone, or less than stable, get one too.
 * A server's URL has its variables' defaults in their place, because Redoc takes `{base_url}` for a path of the page's host.
 * @param document The one that the contract was built from.
 */
export function annotate(
  document: Node,
  contract: Contract,
  options: AnnotateOptions = {},
): AnnotatedContract {
  const texts = listTexts(contract);
  const errors = listErrors(contract);
  const toDescription = ({ description, response }: TextNode) =>
    response && errors.has(response.pointer) ? describeError(response, contract.registry) : description;
  return {
    sunsets: texts.flatMap(({ lifecycle }) => lifecycle?.sunset ?? []),
    at(now) {
      const nodes = texts.filter(({ operation }) => operation === undefined);
      const edits = new Map([
        ...nodes.flatMap((node): [string, Edit][] => {
          const notes = [...toNameNote(node.outgoing?.operationId), ...toLifecycleNotes(node, now)];
          const own = toDescription(node);
          if (notes.length === 0 && own === undefined) return [];
          const badges = (written: Node) => (node.outgoing ? toBadges(written, node.lifecycle, now) : {});
          return [
            [node.pointer, (written) => ({ ...written, ...toMembers(node, own, notes), ...badges(written) })],
          ];
        }),
        ...listServerEdits(contract),
        ["#/info", (info: Node) => toInfo(info, contract, texts, options)] as const,
      ]);
      const described = editDocument(document, edits);
      const operations = texts.flatMap(({ operation }) => operation ?? []);
      // A path item that is a reference becomes its target: two paths may share one, and their operations differ.
      const inlined = editDocument(described, new Map(listInlined(described, contract)));
      const annotated = editDocument(
        inlined,
        new Map(
          operations.map((operation) => [toPlace(operation), (node) => toOperation(node, operation, now)]),
        ),
      );
      return withService(annotated, contract, options.service);
    },
  };

  function toOperation(node: Node, operation: Operation, now: number): Node {
    const { id, hasId, description, summary, lifecycle, path } = operation;
    const notes = [
      ...(hasId ? toNameNote(id) : []),
      ...toLifecycleNotes({ pointer: "", operation, ...(lifecycle && { lifecycle }) }, now),
      ...(hasId ? [`[Try it](try.html#operation/${toFragment(id)})`] : []),
      ...toOperationNotes(operation, contract),
    ];
    const given = toArray(node["x-codeSamples"] ?? node["x-code-samples"]);
    const samples = (options.samples?.get(operation) ?? []).filter((sample) => !hasSample(given, sample));
    return {
      ...node,
      // Redoc makes a heading of the description's first characters where there is no other name.
      ...(!hasId && summary === undefined && { summary: description?.slice(0, 50) ?? path }),
      ...toMembers(operation, description, notes),
      ...toBadges(node, lifecycle, now),
      ...(samples.length > 0 && { "x-codeSamples": [...given, ...samples] }),
    };
  }
}

/** Where the document has an operation, whose path item may be a reference. */
function toPlace({ pathItem, method }: Operation): string {
  return joinPointer(pathItem.declaredAt, method);
}

function listInlined(document: Node, { pathItems }: Contract): readonly (readonly [string, Edit])[] {
  return pathItems.flatMap(({ declaredAt, pointer }) => {
    const target = declaredAt === pointer ? undefined : getByPointer(document, pointer);
    return isNode(target) ? [[declaredAt, () => target] as const] : [];
  });
}

function toMembers(
  { lifecycle }: Pick<TextNode, "lifecycle">,
  own: string | undefined,
  notes: readonly string[],
) {
  const description = [notes.join(" · "), own && markDecisions(own)].filter(Boolean).join("\n\n");
  return {
    ...(lifecycle?.deprecated === true && notes.length > 0 && { deprecated: true }),
    ...(description !== "" && { description }),
  };
}

function toNameNote(operationId: string | undefined): readonly string[] {
  return operationId === undefined ? [] : [`operationId ${toCode(operationId)}`];
}

function toLifecycleNotes({ lifecycle, operation, outgoing }: TextNode, now: number): readonly string[] {
  if (lifecycle === undefined) return [];
  const { stability, since, sunset, replacedBy } = lifecycle;
  const isOperation = operation !== undefined || outgoing !== undefined;
  // A parameter or property is accepted after its end, as long as the contract has it.
  const ended = isOperation ? "**gone since**" : "**ended on**";
  const notes = {
    "**stability**": stability === "stable" ? undefined : stability,
    "**deprecated since**": since === undefined ? undefined : showInstant(since),
    [isGone(lifecycle, now) ? ended : "**removed on**"]:
      sunset === undefined ? undefined : showInstant(sunset),
    "**use instead**": replacedBy && (isOperation ? toOperationLink(replacedBy) : toCode(replacedBy)),
  };
  return Object.entries(notes).flatMap(([name, note]) => (note === undefined ? [] : [`${name} ${note}`]));
}

/** Dark enough for the white text that Redoc writes on them (WCAG 2.2, 1.4.3). */
const GONE_COLOR = "#b3261e";
const STABILITY_COLOR = "#5b3f8f";

function toBadges(node: Node, lifecycle: Lifecycle | undefined, now: number): Node {
  if (lifecycle === undefined) return {};
  const { stability } = lifecycle;
  const badges = [
    ...toArray(node["x-badges"]),
    ...(stability === "stable" ? [] : [{ name: stability, color: STABILITY_COLOR }]),
    ...(isGone(lifecycle, now) ? [{ name: "Gone", color: GONE_COLOR }] : []),
  ];
  return badges.length === 0 ? {} : { "x-badges": badges };
}

function isGone({ sunset }: Lifecycle, now: number): boolean {
  return sunset !== undefined && sunset <= now;
}

function listServerEdits({ servers, pathItems, operations }: Contract): readonly (readonly [string, Edit])[] {
  const all = [...servers, ...[...pathItems, ...operations].flatMap((owner) => owner.servers)];
  return all.map((server) => {
    const description = server.description && markDecisions(server.description);
    const members = { url: toServerUrl(server), ...(description !== undefined && { description }) };
    return [server.pointer, (node) => ("url" in node ? { ...node, ...members } : node)] as const;
  });
}

/** The document with the running service before its other servers. */
function withService(document: Node, { servers }: Contract, service: string | undefined): Node {
  if (service === undefined) return document;
  const known = servers.find((server) => toServerUrl(server) === service);
  const declared = toArray(document["servers"]);
  const own = known ? getByPointer(document, known.pointer) : { url: service, description: "This service" };
  return { ...document, servers: [own, ...declared.filter((server) => server !== own)] };
}

function toInfo(
  info: Node,
  { description }: Contract,
  texts: readonly TextNode[],
  { introduction }: AnnotateOptions,
): Node {
  const { "x-logo": logo, ...rest } = info;
  // A logo is at another host, or in a file that the site does not have: the page would show that it is missing.
  const isInline = isNode(logo) && String(logo["url"]).startsWith("data:");
  const own = listDecisions(description ?? "", texts);
  const shown = [introduction, own === "" ? undefined : markDecisions(own)].filter(
    (text) => text !== undefined,
  );
  return { ...(isInline ? info : rest), ...(shown.length > 0 && { description: shown.join("\n\n") }) };
}
