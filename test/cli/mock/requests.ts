import fc from "fast-check";
import { isNode, type Node } from "../../../src/tenon/core/legacy/document.js";
import { getOwn } from "../../../src/tenon/core/document/pointer.js";
import { dereference } from "../../../src/tenon/runtime/contract-document.js";
import type { OperationDescriptor, RoutedContract } from "../../../src/tenon/runtime/index.js";
import { createSchemaBook } from "../../../src/cli/values/book.js";
import { toNumbers } from "../../../src/cli/values/human/numbers.js";
import { toStrings } from "../../../src/cli/values/human/strings.js";
import { createValues } from "../../../src/cli/values/values.js";

/** What a generated client is called with. */
export interface Call {
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly body?: unknown;
  readonly mediaType?: string;
}

/** Valid requests with all that is required and nothing else. */
export function createCalls({
  document,
}: RoutedContract): (operation: OperationDescriptor, seed: number) => Call {
  const book = createSchemaBook({ ...document }, "request");
  const make = createValues({
    book,
    leaves: { strings: toStrings, numbers: toNumbers },
    examples: 1,
    optional: 1,
  });
  const follow = (value: unknown): Node => {
    const found = dereference(document, value);
    return isNode(found) ? found : {};
  };
  const sample = (schema: unknown, seed: number): unknown => {
    const values = make(book.get(book.add(schema ?? true)));
    return values && fc.sample(values, { seed, numRuns: 1, unbiased: true })[0];
  };
  return (operation, seed) => {
    const item = follow(document.paths?.[operation.path]);
    const node = follow(item[operation.method]);
    const params: Record<string, Record<string, unknown>> = {};
    const declared = [item["parameters"], node["parameters"]].flatMap((list) =>
      Array.isArray(list) ? (list as readonly unknown[]) : [],
    );
    for (const { name, in: place, required, schema, content } of declared.map(follow)) {
      // OpenAPI ignores header parameters of these names.
      const isIgnored = place === "header" && /^(?:accept|content-type|authorization)$/i.test(String(name));
      if (required !== true || isIgnored) continue;
      const [mediaType] = isNode(content) ? Object.values(content) : [];
      const value = sample(schema ?? (isNode(mediaType) ? mediaType["schema"] : true), seed);
      (params[String(place)] ??= {})[String(name)] = value;
    }
    const { content, required } = follow(getOwn(node, "requestBody"));
    const [name] = required === true ? Object.keys(isNode(content) ? content : {}) : [];
    if (name === undefined) return { params };
    const mediaType = follow((content as Node)[name]);
    const body = sample(mediaType["schema"], seed);
    return { params, body, mediaType: name };
  };
}
