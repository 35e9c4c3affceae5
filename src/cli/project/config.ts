import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { BaseResolver, type Config, loadConfig, type Source } from "@redocly/openapi-core";
import { ContractError, type ContractProblemCode, severityOf } from "tenon/core/document/contract-error";
import { type ApiSettings, readApi } from "./config-api.js";
import { findConfigProblems } from "./config-problems.js";
import { isNode, members, type Node, toText } from "tenon/core/legacy/document";
import { toPosition } from "../load/locate.js";
import { getOwn } from "tenon/core/document/pointer";
import { findPackageType } from "./package-type.js";
import { joinPointer } from "tenon/core/document/pointer";
import type { Problem } from "tenon/core/document/problem";
import { readDocument } from "../load/read-document.js";

/** One API of redocly.yaml that has an `x-tenon.output`. */
export interface ApiConfig extends ApiSettings {
  /** Redocly's configuration with this API's own rules applied. */
  readonly config: Config;
  /** What its author should know of these settings. */
  readonly warnings: readonly Problem[];
}

/**
 * Reads the redocly.yaml of a project:
 * ```yaml
 * apis:
 *   v1:
 *     root: openapi/v1.yaml
 *     x-tenon: { output: generated/v1, handlers: src/handlers, main: src/main.ts }
 * ```
 * Only `output` is required; `split: true` gives the types of each tag a file of their own, and
 * `module: commonjs` is for packages that are not of type "module".
 * @param directory Absolute path of the folder that redocly.yaml is in; its paths are relative to it.
 * @throws {ContractError} `config-missing`, `config-invalid`, `config-unknown`, `rule-required`, `api-output`, `api-handlers`, `api-main`,
 *   `api-module`, `api-split`, `document-unreadable` or `document-syntax`.
 */
export async function loadApis(directory: string): Promise<readonly ApiConfig[]> {
  const { source, parsed, config, resolver } = await readConfig(directory);
  const problems: Problem[] = [...(await findConfigProblems({ source, document: parsed, config, resolver }))];
  const toProblem = (
    code: ContractProblemCode,
    pointer: string,
    message: string,
    hint?: string,
  ): Problem => ({
    code,
    severity: severityOf(code),
    message,
    ...toPosition({ source, pointer, reportOnKey: true }),
    ...(hint !== undefined && { hint }),
  });
  const report = (...told: Parameters<typeof toProblem>) => problems.push(toProblem(...told));
  const apis: ApiSettings[] = [];
  for (const { name, ...api } of members({ node: parsed, pointer: "#" }, "apis")) {
    const settings = readApi(name, api, { directory, apis, report });
    if (settings) apis.push(settings);
  }
  if (apis.length === 0 && problems.length === 0) {
    report(
      "config-missing",
      "#/apis",
      "redocly.yaml must name an API with x-tenon.output, for example generated/v1",
    );
  }
  if (problems.length > 0) throw new ContractError(problems);
  return apis.map((api) => {
    const pointer = joinPointer("#", "apis", api.name, "x-tenon");
    const warnings = isModuleOpen(api) ? [toProblem("module-open", pointer, MODULE_OPEN, MODULE_HINT)] : [];
    return { ...api, config: config.forAlias(api.name), warnings };
  });
}

const MODULE_OPEN =
  'Generated files are ES modules, but package.json has no "type": "module", so that Node takes them for CommonJS';
const MODULE_HINT = "Add module: commonjs, or module: esm where something else makes ES modules of them";

function isModuleOpen({ module, output }: ApiSettings): boolean {
  return module === undefined && findPackageType(output) === "commonjs";
}

/** An API of redocly.yaml, whether or not anything is generated from it. */
export interface NamedApi {
  readonly name: string;
  /** Absolute path of the contract's root document, or its URL. */
  readonly root: string;
  /** Absolute path of the folder for generated files; undefined when there is none. */
  readonly output: string | undefined;
  readonly config: Config;
}

/**
 * Reads which contracts a redocly.yaml names, and nothing else of it.
 * @param directory Absolute path of the folder that redocly.yaml is in; its paths are relative to it.
 * @throws {ContractError} `config-missing`, `config-invalid`, `document-unreadable` or `document-syntax`.
 */
export async function loadNamedApis(directory: string): Promise<readonly NamedApi[]> {
  const { parsed, config } = await readConfig(directory);
  return members({ node: parsed, pointer: "#" }, "apis").flatMap(({ name, node }) => {
    const root = toText(node["root"]);
    const extension = getOwn(node, "x-tenon");
    const output = isNode(extension) ? toText(extension["output"]) : undefined;
    if (root === undefined) return [];
    return [
      {
        name,
        root: /^https?:/.test(root) ? root : resolve(directory, root),
        output: output === undefined ? undefined : resolve(directory, output),
        config: config.forAlias(name),
      },
    ];
  });
}

interface ReadConfig {
  readonly source: Source;
  readonly parsed: Node;
  readonly config: Config;
  readonly resolver: BaseResolver;
}

async function readConfig(directory: string): Promise<ReadConfig> {
  const file = join(directory, "redocly.yaml");
  if (!existsSync(file)) throw toMissingError(file);
  const resolver = new BaseResolver();
  const { source, parsed } = await readDocument(file, resolver);
  if (!isNode(parsed)) throw toInvalidError(source, "It must be an object with `apis`");
  const config = await loadConfig({ configPath: file, externalRefResolver: resolver }).catch(
    (cause: unknown) => {
      throw toInvalidError(source, (cause as Error).message.split("\n", 1)[0] ?? "");
    },
  );
  return { source, parsed, config, resolver };
}

function toMissingError(file: string): ContractError {
  const message = "There is no redocly.yaml in this folder";
  const hint = 'Write one, or let "tenon init" write a whole service into an empty folder';
  const place = { file, line: 1, column: 1, pointer: "#/" };
  return new ContractError([{ code: "config-missing", severity: "error", message, hint, ...place }]);
}

/** What Redocly says of a plugin or preset has no place in the file. */
function toInvalidError(source: Source, reason: string): ContractError {
  const message = `Cannot use redocly.yaml: ${reason}`;
  const place = toPosition({ source, pointer: "#/", reportOnKey: true });
  return new ContractError([{ code: "config-invalid", severity: "error", message, ...place }]);
}
