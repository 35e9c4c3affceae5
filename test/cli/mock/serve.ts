import { fileURLToPath } from "node:url";
import { createConfig } from "@redocly/openapi-core";
import { buildModel } from "../../../src/tenon/core/legacy/build-model.js";
import type { Node } from "../../../src/tenon/core/legacy/document.js";
import { loadContract } from "../../../src/cli/load/load.js";
import { toRoutedContract } from "../../../src/cli/generate/routed-contract.js";
import {
  type BadExample,
  type MockServer,
  type MockServerOptions,
  startMock,
} from "../../../src/cli/mock/index.js";
import type { RoutedContract } from "../../../src/tenon/runtime/index.js";

const ROOT = new URL("../../..", import.meta.url);

/** @param file Relative to the repository: `openapi/v1.yaml`. */
export async function loadRouted(file: string): Promise<RoutedContract> {
  const { document } = await loadContract(fileURLToPath(new URL(file, ROOT)), await createConfig({}), {
    lint: false,
  });
  return toRouted(document);
}

export function toRouted(document: Node): RoutedContract {
  return toRoutedContract(buildModel({ document, report: () => undefined }), document);
}

export interface TestMock extends MockServer {
  readonly bad: readonly BadExample[];
}

/** On a free port. */
export async function serve(
  contract: RoutedContract,
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
