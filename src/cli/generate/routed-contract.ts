import type { Contract } from "tenon/core/legacy/model";
import type { RoutedContract } from "tenon/runtime";
import { toDescriptor } from "./operation-table.js";

/**
 * What `createRouter` enforces, of a contract that nothing was generated from: the same table as in its server.ts.
 * @param document The bundled document that the model was built from.
 */
export function toRoutedContract({ basePath, operations }: Contract, document: object): RoutedContract {
  return {
    document: document as RoutedContract["document"],
    basePath,
    operations: operations.map(toDescriptor),
  };
}
