import { getByPointer, isNode, joinPointer, type Node, parsePointer, toArray } from "tenon/core/document";
import { type Contract, type Operation, toMethodKeys, toServerUrl } from "tenon/core/model";
import type { CodeSample } from "../samples/samples.js";
import { listDecisions, markDecisions } from "./decisions.js";
import { describeError, listErrors } from "./error-codes.js";
import { listTexts, type TextNode } from "./list-texts.js";
import { listRenderedEdits, toRendered } from "./to-rendered.js";
import { toBadges, toLifecycleNotes, toMembers, toNameNote, toOperation } from "./operation.js";

export interface AnnotateOptions {
  /** Address of the running service, which is shown as the first server. Default: unknown. */
  readonly service?: string | undefined;
  /** Markdown before the contract's description. Default: none. */
  readonly introduction?: string | undefined;
  /** Samples of code, by operation; they follow those of the author. Default: none. */
  readonly samples?: ReadonlyMap<Operation, readonly CodeSample[]>;
}

/**
 * Adds notes to a contract that Redoc shows. Each operation's name and each lifecycle become the first line of the description.
 * There Redoc's search finds it, and it can link. `operationId: getPet`, `deprecated: true`, `x-sunset: "2030-12-05"`,
 * `x-replaced-by: listPets` become
 * ``operationId `getPet` · **removed on** 2030-12-05 · **use instead** [listPets](#operation/listPets) · [Try it](…)``.
 * A server's URL has its variables' defaults in their place, because Redoc takes `{base_url}` for a path of the page's host.
 * @param document The document that the contract was built from.
 */
export function annotate(document: Node, contract: Contract, options: AnnotateOptions = {}) {
  const texts = listTexts(contract);
  const errors = listErrors(contract);
  const toDescription = ({ description, response }: TextNode) =>
    response && errors.has(response.pointer) ? describeError(response, contract.registry) : description;
  return {
    /** Every `x-sunset` in the contract, in milliseconds since 1970: from then on it is shown differently. */
    sunsets: texts.flatMap(({ lifecycle }) => lifecycle?.sunset ?? []),
    /** @param now Milliseconds since 1970. */
    at: (now: number): Node => {
      const edits = texts.flatMap((text): [string, Edit][] => {
        const { pointer, lifecycle, operation, outgoing } = text;
        if (operation !== undefined) return [];
        const isOperation = outgoing !== undefined;
        const notes = [
          ...toNameNote(outgoing?.operationId),
          ...toLifecycleNotes(lifecycle, { isOperation, now }),
        ];
        const own = toDescription(text);
        if (notes.length === 0 && own === undefined) return [];
        const badges = (node: Node) => (isOperation ? toBadges(node, lifecycle, now) : {});
        return [[pointer, (node) => ({ ...node, ...toMembers(text, own, notes), ...badges(node) })]];
      });
      const described = editDocument(document, [
        ...edits,
        ...listServerEdits(contract),
        ...listRenderedEdits(contract),
        ["#/info", (info) => toInfo(info, contract, texts, options)],
      ]);
      // A path item that is a reference becomes its target: two paths may share one, and their operations differ.
      const inlined = editDocument(described, listInlined(described, contract));
      const operations = texts.flatMap(({ operation }) => operation ?? []);
      const annotated = editDocument(
        inlined,
        operations.map((operation) => [
          joinPointer(operation.pathItem.declaredAt, ...toMethodKeys(operation.method)),
          (node) =>
            toOperation(node, operation, { contract, samples: options.samples?.get(operation) ?? [], now }),
        ]),
      );
      return toRendered(withService(annotated, contract, options.service), contract);
    },
  };
}

function listInlined(document: Node, { pathItems }: Contract): readonly (readonly [string, Edit])[] {
  return pathItems.flatMap(({ declaredAt, pointer }) => {
    const target = declaredAt === pointer ? undefined : getByPointer(document, pointer);
    return isNode(target) ? [[declaredAt, () => target] as const] : [];
  });
}

function listServerEdits({ servers, pathItems, operations }: Contract): readonly (readonly [string, Edit])[] {
  const all = [...servers, ...[...pathItems, ...operations].flatMap((owner) => owner.servers)];
  return all.map((server) => {
    const description = server.description && markDecisions(server.description);
    const members = { url: toServerUrl(server), ...(description !== undefined && { description }) };
    return [server.pointer, (node) => ("url" in node ? { ...node, ...members } : node)] as const;
  });
}

/** Puts the running service before the document's other servers. */
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

/** Creates a new node from one whose members are edited already. */
type Edit = (node: Node) => Node;

interface Branch {
  readonly children: Map<string, Branch>;
  edit?: Edit;
}

/** Copies a document with other nodes at some JSON pointers. Other nodes are shared with the original. */
function editDocument(document: Node, edits: readonly (readonly [pointer: string, edit: Edit])[]): Node {
  const root: Branch = { children: new Map() };
  for (const [pointer, edit] of edits) {
    let branch = root;
    for (const key of parsePointer(pointer)) {
      const child = branch.children.get(key) ?? { children: new Map() };
      branch.children.set(key, child);
      branch = child;
    }
    branch.edit = edit;
  }
  return applyEdits(document, root) as Node;
}

function applyEdits(value: unknown, { children, edit }: Branch): unknown {
  const applyTo = (member: unknown, key: string | number): unknown => {
    const branch = children.get(String(key));
    return branch === undefined ? member : applyEdits(member, branch);
  };
  if (Array.isArray(value)) return value.map(applyTo);
  if (!isNode(value)) return value;
  // `Object.fromEntries` keeps a member called `__proto__` a member.
  const edited =
    children.size === 0
      ? value
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, applyTo(member, key)]));
  return edit?.(edited) ?? edited;
}
