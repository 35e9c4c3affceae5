import { parse } from "yaml";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { emitFiles } from "../../../src/cli/generate/files.js";
import type { Generated, GeneratedSides } from "../../../src/cli/impact/sides.js";

/** Generates the files of two contracts, given as YAML without `openapi` and `info`. */
export function toSides(base: string, revision: string): GeneratedSides {
  const [before, after] = [base, revision].map((below) =>
    generate(parse(`openapi: 3.1.0\ninfo: { title: Test, version: 1.0.0 }\n${below}`) as Node),
  ) as [Generated, Generated];
  return { base: before, revision: after };
}

/** Generates the files of a bundled document. */
export function generate(document: Node): Generated {
  const contract = buildContract(document);
  const { files } = emitFiles(contract, document, { source: "openapi.yaml" });
  return { files, operations: contract.operations };
}
