import { posix, win32 } from "node:path";
import { expect, test } from "@jest/globals";
import { showPath } from "../../../src/cli/output/show-path.js";

test.each([
  [win32, String.raw`C:\shop\openapi\v1.yaml`, String.raw`C:\shop`, "openapi/v1.yaml"],
  [win32, "C:/shop/src/app.ts", String.raw`C:\shop`, "src/app.ts"],
  [win32, String.raw`C:\other\v1.yaml`, String.raw`C:\shop`, "../other/v1.yaml"],
  [win32, String.raw`D:\v1.yaml`, String.raw`C:\shop`, "D:/v1.yaml"],
  [posix, "/shop/openapi/v1.yaml", "/shop", "openapi/v1.yaml"],
  [posix, String.raw`/shop/a\b.yaml`, "/shop", String.raw`a\b.yaml`],
])("showPath: case %#", (system, file, cwd, want) => {
  expect(showPath(file, cwd, system)).toBe(want);
});
