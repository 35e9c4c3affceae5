// Removes dist/ of the workspace that is packed, so that the package contains no file whose source is gone.
import { rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
