import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { createDirectory } from "../../support/directory.js";
import { endProcesses, startServing, type ServingProcess } from "../../support/petstore-process.js";
import { until } from "../../support/until.js";

afterEach(endProcesses);

const start = (folder: string) => startServing({ env: { TENON_COVERAGE: folder } });
const reports = ({ err }: ServingProcess) => err.filter((line) => line.includes("Coverage is not recorded"));

async function expectService({ calls }: ServingProcess): Promise<void> {
  expect((await calls.create({ name: "Rex", categoryId: 1 })).id).toBeGreaterThan(0);
  expect((await calls.call("/v1/pets")).status).toBe(200);
  expect((await calls.call("/v1/nothing")).status).toBe(404);
}

test("a service whose coverage cannot be recorded reports it once and goes on serving", async () => {
  const file = join(createDirectory(), "file");
  writeFileSync(file, "");
  const service = await start(join(file, "coverage"));
  await expectService(service);
  await until(() => reports(service).length > 0);
  expect(reports(service)).toEqual([expect.stringContaining("ENOTDIR")]);
});

test("a service whose record is gone reports it once and goes on serving", async () => {
  const folder = join(createDirectory(), "coverage");
  const service = await start(folder);
  await until(() => existsSync(folder));
  rmSync(folder, { recursive: true });
  await expectService(service);
  await until(() => reports(service).length > 0);
  expect(reports(service)).toEqual([expect.stringContaining("ENOENT")]);
});
