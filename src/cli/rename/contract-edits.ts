import { readFileSync } from "node:fs";
import { getMember, getMembers, getOwn, joinPointer, type SourcePosition } from "tenon/core/document";
import { UsageError } from "../output/context.js";
import type { LoadedModel } from "../project/index.js";
import type { TextEdit } from "../project/index.js";
import { showPath } from "../output/show-path.js";

/** Names that YAML reads as another value unless they are quoted. */
const YAML_WORDS = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

export interface Names {
  readonly from: string;
  readonly to: string;
}

export interface ContractPlaces extends Pick<LoadedModel, "contract" | "document" | "locate"> {
  /** Pointer of the operation in the bundled document. */
  readonly pointer: string;
  /** Folder that printed paths are relative to. */
  readonly cwd: string;
}

/**
 * Finds the places of a contract that name an operation: its `operationId`, that of links, and `x-replaced-by`. Only the text of
 * their values changes.
 * @throws {UsageError} when a value is written in a form that cannot be replaced, such as a YAML alias.
 */
export function findContractEdits(places: ContractPlaces, names: Names): readonly TextEdit[] {
  const { contract, document, locate, pointer, cwd } = places;
  const { operations, webhooks, components } = contract;
  const outgoing = [...webhooks, ...operations.flatMap(({ callbacks }) => callbacks)];
  const links = [
    ...components.responses.values(),
    ...[...operations, ...outgoing].flatMap(({ responses }) => responses),
  ].flatMap((response) => response.links);
  const declared = getMember({ node: document, pointer: "#" }, "components");
  // Links that no response uses are not in the model.
  const unused = (declared === undefined ? [] : getMembers(declared, "links")).filter(
    ({ node }) => getOwn(node, "operationId") === names.from,
  );
  const pointers = [
    joinPointer(pointer, "operationId"),
    ...[...links.filter(({ operationId }) => operationId === names.from), ...unused].map((link) =>
      joinPointer(link.pointer, "operationId"),
    ),
    ...operations
      .filter(({ lifecycle }) => lifecycle?.replacedBy === names.from)
      .map((operation) => joinPointer(operation.pointer, "x-replaced-by")),
  ];
  return pointers.map((found) => toEdit(locate(found), names, cwd));
}

/** Finds the links to an operation's docs in the texts of a contract: `#operation/getPet`, `#tag/pets/operation/getPet`. */
export function findLinkEdits(files: readonly string[], { from, to }: Names): readonly TextEdit[] {
  return files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/#(?:tag\/[^\s/)"']+\/)?operation\/([\w$-]+)/g)].flatMap(
      ({ 0: link, 1: id, index }) => {
        const end = index + link.length;
        return id === from ? [{ file, start: end - from.length, end, text: to }] : [];
      },
    ),
  );
}

/** Replaces the value of the member at a position. */
function toEdit({ file, line, column }: SourcePosition, { from, to }: Names, cwd: string): TextEdit {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").slice(0, line - 1);
  const member = lines.join("\n").length + (line > 1 ? 1 : 0) + column - 1;
  const [, before = "", quote = ""] =
    /^((?:"[\w-]+"|'[\w-]+'|[\w-]+)\s*:\s*(?:&\S+\s+)?)(["']?)/.exec(text.slice(member)) ?? [];
  const start = member + before.length + quote.length;
  const end = start + from.length;
  const rest = text.slice(end);
  if (
    before === "" ||
    text.slice(start, end) !== from ||
    !(quote ? rest.startsWith(quote) : /^(?:[\s,}\]]|$)/.test(rest))
  )
    throw new UsageError(
      `${showPath(file, cwd)}:${line}:${column} does not contain ${from} as plain text; write it without an alias or escapes.`,
    );
  return { file, start, end, text: quote === "" && YAML_WORDS.test(to) ? `"${to}"` : to };
}
