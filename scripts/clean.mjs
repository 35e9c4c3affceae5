// Removes dist/, so that the package has nothing in it that the sources no longer have.
import { rmSync } from "node:fs";

rmSync(new URL("../dist/", import.meta.url), { recursive: true, force: true });
