// Copies what the compiler leaves out of dist/: the bundled contract, its changelog and its docs.
import { cpSync } from "node:fs";

const generated = new URL("../generated/", import.meta.url);
const dist = new URL("../dist/generated/", import.meta.url);
cpSync(generated, dist, { recursive: true, filter: (path) => !path.endsWith(".ts") });
