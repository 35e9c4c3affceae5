import { parse } from "yaml";
import { buildModel } from "../../../src/tenon/contract/build-model.js";
import type { Node } from "../../../src/tenon/contract/document.js";
import { emitFiles } from "../../../src/tenon/emit/files.js";
import type { Generated, GeneratedSides } from "../../../src/tenon/impact/question.js";

/** What is generated from two contracts, given as YAML without their heads. */
export function toSides(base: string, revision: string): GeneratedSides {
  return { base: generate(base), revision: generate(revision) };
}

function generate(below: string): Generated {
  const document = parse(`openapi: 3.1.0\ninfo: { title: Test, version: 1.0.0 }\n${below}`) as Node;
  const { operations, ...contract } = buildModel({ document, report: () => undefined });
  const { files } = emitFiles({ operations, ...contract }, document, { source: "openapi.yaml" });
  return { files, operations };
}
