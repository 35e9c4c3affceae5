import path from "node:path";

/**
 * Formats a path for outputs: relative to the working folder and with `/`, also on Windows, so that reports of one contract are the
 * same everywhere. `C:\shop\openapi\v1.yaml` in `C:\shop` becomes `openapi/v1.yaml`.
 * @param system How paths are written. Default: as on this system.
 */
export function showPath(
  file: string,
  cwd: string,
  system: Pick<typeof path, "relative" | "sep"> = path,
): string {
  return system.relative(cwd, file).split(system.sep).join("/");
}
