import { isNode } from "tenon/core/document";
import type { Contract, MediaType, Operation } from "tenon/core/model";
import { chooseUsual } from "./choose-response.js";
import { findResources, isId, type Resource } from "./collection.js";
import { findJson } from "./make-response.js";
import { findResourceUses, listProperties, type ResourceUse } from "./resource-uses.js";
import { createState, type State } from "./state.js";
import { toSeed, type TryValues } from "./try-values.js";

/** Creates the state of a contract's mock: empty except for the resources that the mock's lists contain from the start. */
export function createContractState(
  { registry, basePath, operations }: Contract,
  tryValues: TryValues,
): State {
  /** The JSON of an operation's usual response. */
  function findContent(operation: Operation): MediaType | undefined {
    return findJson(chooseUsual(operation)?.response.mediaTypes ?? []);
  }

  const uses = findResourceUses(operations, (operation) => {
    const { schema } = findContent(operation) ?? {};
    return schema === undefined ? [] : listProperties(schema, { registry, side: "response" });
  });

  /** The first body of an operation that has a role. */
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
    listSendable: ({ requestBody }) =>
      (requestBody?.mediaTypes ?? []).flatMap(({ schema }) =>
        schema === undefined ? [] : listProperties(schema, { registry, side: "request" }),
      ),
    findInitial(use): readonly Resource[] {
      const listed = findResources(findBody(use, "list"), use.key);
      if (listed !== undefined) return listed;
      const read = findBody(use, "read");
      return isNode(read) && isId(read[use.key]) ? [read] : [];
    },
  });
}
