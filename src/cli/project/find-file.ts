import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createConfig } from "@redocly/openapi-core";
import type { ApiConfig } from "./config.js";
import { UsageError } from "../output/context.js";

/**
 * A contract that is named by its file or URL. By itself it is held to what OpenAPI says, and to no rules of a redocly.yaml.
 * @returns undefined for what can only be the name of an API.
 * @throws {UsageError} when there is no such file.
 */
export async function findFile(
  named: string,
  cwd: string,
): Promise<Pick<ApiConfig, "root" | "config"> | undefined> {
  const isUrl = /^https?:\/\//.test(named);
  if (isUrl || existsSync(resolve(cwd, named)))
    return { root: isUrl ? named : resolve(cwd, named), config: await createConfig({}) };
  if (/[./\\]/.test(named) || !existsSync(join(cwd, "redocly.yaml")))
    throw new UsageError(`There is no file ${named}.`);
  return undefined;
}
