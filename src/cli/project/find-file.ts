import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createConfig } from "@redocly/openapi-core";
import type { ApiConfig } from "./config.js";
import { UsageError } from "../output/context.js";

/**
 * Finds a contract by its file or URL. It is linted only with the required rules, not those of a redocly.yaml.
 * @returns undefined for a text that can only be the name of an API.
 * @throws {UsageError} if the file does not exist.
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
