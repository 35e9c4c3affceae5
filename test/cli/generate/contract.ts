import { createNames } from "../../../src/cli/generate/server/names.js";
import type { TypeContext } from "../../../src/cli/generate/server/schema-type.js";
import { findViews } from "../../../src/cli/generate/server/views.js";
import { buildContract, type Contract, type Operation } from "../../../src/tenon/core/model/index.js";

/** The contract of a document without problems. */
export function toContract(document: object): Contract {
  return buildContract(document as Readonly<Record<string, unknown>>, {
    report: (code, pointer) => {
      throw new Error(`${code} at ${pointer}`);
    },
  });
}

/** The contract of `POST /x` and some schemas. */
export function toOperationContract(operation: object, schemas: object = {}, openapi = "3.1.0"): Contract {
  const responses = { "200": { description: "" } };
  const paths = { "/x": { post: { responses, ...operation } } };
  return buildContract({ openapi, paths, components: { schemas } });
}

export function getOperation({ operations: [operation] }: Contract): Operation {
  if (operation === undefined) throw new Error("There is no operation");
  return operation;
}

export function toTypeContext({ registry, schemas }: Contract): Omit<TypeContext, "view"> {
  const references = schemas.map(({ reference }) => reference);
  const views = findViews(registry, references, []);
  return { registry, views, names: createNames(schemas, [], views) };
}
