import { fileURLToPath } from "node:url";
import { createConfig } from "@redocly/openapi-core";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { buildContract, type Contract } from "../../../src/tenon/core/model/index.js";
import { loadContract } from "../../../src/cli/load/index.js";
import {
  type BadExample,
  type MockServer,
  type MockServerOptions,
  startMock,
} from "../../../src/cli/mock/index.js";

const ROOT = new URL("../../..", import.meta.url);

/** @param file Relative to the repository: `openapi/v1.yaml`. */
export async function loadRouted(file: string): Promise<Contract> {
  return toRouted(await loadDocument(file));
}

export function toRouted(document: Node): Contract {
  return buildContract(document);
}

export async function loadDocument(file: string): Promise<Node> {
  const config = await createConfig({});
  const { document } = await loadContract(fileURLToPath(new URL(file, ROOT)), config, { lint: false });
  return document;
}

export interface TestMock extends MockServer {
  readonly bad: readonly BadExample[];
}

/** On a free port. */
export async function serve(
  contract: Contract,
  options: Omit<MockServerOptions, "port"> = {},
): Promise<TestMock> {
  const bad: BadExample[] = [];
  const server = await startMock(contract, { port: 0, onBadExample: (found) => bad.push(found), ...options });
  return { ...server, bad };
}

/** A contract of one schema after another: `GET /0` answers with the first. */
export function toDocument(schemas: readonly unknown[], components: Node = {}, openapi = "3.1.0"): Node {
  return {
    openapi,
    info: { title: "Values", version: "1" },
    servers: [{ url: "/" }],
    paths: Object.fromEntries(
      schemas.map((schema, index) => [
        `/${index}`,
        {
          get: {
            operationId: `get${index}`,
            responses: { "200": { description: "ok", content: { "application/json": { schema } } } },
          },
        },
      ]),
    ),
    components: { schemas: components },
  };
}
