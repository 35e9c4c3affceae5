import { isNode } from "../../core/document/node.js";
import { findDialect, VERSIONS } from "../../core/document/version.js";
import { buildContract, type Contract } from "../../core/model/index.js";

/**
 * Builds the model of a document that is enforced. Its parts are checked only when they are needed: the contract was linted when its code
 * was generated.
 * @throws {Error} when it is not an OpenAPI document of a version that is read.
 */
export function toContract(document: unknown, name = ""): Contract {
  const node = isNode(document) ? document : {};
  const { info, paths = {}, components = {} } = node;
  if (findDialect(node) === undefined || ![info, paths, components].every(isNode))
    throw new Error(`The contract${name} is not an OpenAPI ${VERSIONS} document`);
  return buildContract(node);
}
