// Writes a CycloneDX document of what runs in production to standard output.
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runNpm } from "./supply/npm.js";
import { findProduction, readLockedPackages, toReference } from "./supply/production.js";

/** The part of CycloneDX 1.5 that is touched here. */
interface Bom {
  readonly metadata: { readonly component: { name: string; readonly "bom-ref": string } };
  components: { readonly "bom-ref": string; properties: { readonly name: string }[] }[];
  dependencies: { readonly ref: string; dependsOn: string[] }[];
}

const root = new URL("../", import.meta.url);
const packages = readLockedPackages(root);
const production = new Set([...findProduction(packages)].map((path) => toReference(packages, path)));
const { stdout } = runNpm(fileURLToPath(root), ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"]);

const bom = JSON.parse(stdout) as Bom;
const { component } = bom.metadata;
// npm takes the name of the folder.
({ name: component.name } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  name: string;
});
bom.components = bom.components.filter((entry) => production.has(entry["bom-ref"]));
for (const entry of bom.components)
  entry.properties = entry.properties.filter(({ name }) => name !== "cdx:npm:package:development");
bom.dependencies = bom.dependencies.filter(({ ref }) => production.has(ref) || ref === component["bom-ref"]);
for (const entry of bom.dependencies) entry.dependsOn = entry.dependsOn.filter((ref) => production.has(ref));
process.stdout.write(`${JSON.stringify(bom, undefined, 2)}\n`);
