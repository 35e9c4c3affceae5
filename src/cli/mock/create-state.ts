import { toReplyKind } from "tenon/core/http/media-type";
import type { RoutedContract } from "tenon/runtime/routing/route";
import { dereference } from "tenon/runtime/contract-document";
import type { OperationDescriptor } from "tenon/runtime/operation";
import { createSchemaBook } from "../values/book.js";
import { isObject } from "../values/schema.js";
import { chooseUsual } from "./choose-response.js";
import type { MockParts } from "./create-mock.js";
import { type DeclaredContent, readResponses } from "./declared.js";
import { findResources, listProperties, type ResourceUse } from "./resources.js";
import { createState, type State } from "./state.js";
import { findThings, isId, type Thing } from "./things.js";
import { toSeed } from "./values.js";

/** The state of a contract's mock: empty but for what the mock answers lists with by itself. */
export function createContractState(
  { document, basePath, operations }: RoutedContract,
  { responses: book, tryValues }: MockParts,
): State {
  const requests = createSchemaBook({ ...document }, "request");

  /** The JSON of an operation's usual answer. */
  function findContent(operation: OperationDescriptor): DeclaredContent | undefined {
    const key = chooseUsual(operation)?.key;
    const response = readResponses(document, operation, book).find(({ status }) => status === key);
    return response?.content.find(({ mediaType }) => toReplyKind(mediaType) === "json");
  }

  function findSendable({ path, method }: OperationDescriptor): readonly string[] {
    const item = dereference(document, document.paths?.[path]);
    const operation = isObject(item) ? item[method] : undefined;
    const body = isObject(operation) ? dereference(document, operation["requestBody"]) : undefined;
    const content = isObject(body) && isObject(body["content"]) ? Object.values(body["content"]) : [];
    return content.flatMap((mediaType) =>
      isObject(mediaType) ? listProperties(requests.get(requests.add(mediaType["schema"])), requests) : [],
    );
  }

  const uses = findResources(operations, book, (operation) => findContent(operation)?.schema);

  /** The first answer of an operation that has a role. */
  function findBody({ collection }: ResourceUse, role: "list" | "read"): unknown {
    const [operation] = [...uses].find(([, use]) => use.collection === collection && use.role === role) ?? [];
    const content = operation && findContent(operation);
    if (operation === undefined || content === undefined) return undefined;
    const [value] = tryValues(content.schema, toSeed(operation.id), false);
    return content.examples[0]?.value ?? value;
  }

  return createState({
    basePath,
    uses,
    findSendable,
    findFirst(use): readonly Thing[] {
      const listed = findThings(findBody(use, "list"), use.key);
      if (listed !== undefined) return listed;
      const read = findBody(use, "read");
      return isObject(read) && isId(read[use.key]) ? [read] : [];
    },
  });
}
