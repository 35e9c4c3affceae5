import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { BaseResolver, type Config, loadConfig, type Source } from "@redocly/openapi-core";
import {
  ContractError,
  createProblem,
  getMembers,
  getOwn,
  isNode,
  joinPointer,
  type Problem,
  type SourcePosition,
  toText,
} from "tenon/core/document";
import type { Report } from "tenon/core/model";
import { type ApiSettings, findLinkedOutput, readApi, resolveRoot } from "./config-api.js";
import { type DocsSettings, readDocsSettings } from "./docs-settings.js";
import { findConfigProblems, type ToProblem } from "./config-problems.js";
import {
  assertExpandable,
  assertTextual,
  listOverlays,
  readDocument,
  toPosition,
  toStart,
} from "../load/index.js";

/** One API of redocly.yaml that has an `x-tenon.output`. */
export interface ApiConfig extends ApiSettings {
  /** Redocly's configuration with this API's own rules applied. */
  readonly config: Config;
  /** Positions in redocly.yaml of the files that it names: `root`, and the overlays. */
  readonly positions: ReadonlyMap<string, SourcePosition>;
  /** Problems of these settings that do not stop a command. */
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
 * Only `output` is required. `split: true` emits the types of each tag into a separate file. `module: commonjs` is for packages
 * that are not of type "module".
 * @param directory Absolute path of the folder that contains redocly.yaml; its paths are relative to it.
 * @throws {ContractError} `config-missing`, `config-invalid`, `config-unknown`, `rule-required`, `api-codecs`, `api-docs`,
 *   `api-output`, `api-generate`, `api-group-by-tag`, `api-handlers`, `api-import-extension`, `api-lenient`, `api-main`, `api-module`, `api-overlays`,
 *   `api-reference-hosts`, `api-split`, `document-unreadable`, `document-syntax` or `expansion-limit`.
 */
export async function loadApis(directory: string): Promise<readonly ApiConfig[]> {
  const { source, parsed, config, resolver } = await readConfig(directory);
  const toProblem: ToProblem = (code, pointer, message, hint) =>
    createProblem(code, message, toPosition({ source, pointer, reportOnKey: true }), hint);
  const problems = [...(await findConfigProblems({ document: parsed, config, resolver, toProblem }))];
  const report = (...problem: Parameters<ToProblem>) => problems.push(toProblem(...problem));
  const apis: ApiSettings[] = [];
  for (const { name, ...api } of getMembers({ node: parsed, pointer: "#" }, "apis")) {
    const settings = readApi(name, api, { directory, apis, report });
    if (settings) apis.push(settings);
  }
  if (apis.length === 0 && problems.length === 0) {
    const message = "redocly.yaml must name an API with x-tenon.output, for example generated/v1";
    report("config-missing", "#/apis", message);
  }
  if (problems.length > 0) throw new ContractError(problems);
  return apis.map((api) => {
    const owner = joinPointer("#", "apis", api.name);
    const pointer = joinPointer(owner, "x-tenon");
    const warnings = isModuleOpen(api) ? [toProblem("module-open", pointer, MODULE_OPEN, MODULE_HINT)] : [];
    const own = config.forAlias(api.name);
    const positions = new Map(
      listOverlays(api.root, own).map((file, index) => [
        file,
        toPosition({ source, pointer: joinPointer(pointer, "overlays", index) }),
      ]),
    );
    positions.set(api.root, toPosition({ source, pointer: joinPointer(owner, "root") }));
    return { ...api, config: own, positions, warnings };
  });
}

const MODULE_OPEN =
  'Generated files are ES modules, but package.json has no "type": "module", so Node loads them as CommonJS';
const MODULE_HINT = "Add module: commonjs, or module: esm if a bundler or loader makes ES modules of them";

function isModuleOpen({ module, output }: ApiSettings): boolean {
  return module === undefined && findPackageType(output) === "commonjs";
}

/**
 * Finds the module system of the `.js` files of a folder, by the nearest package.json.
 * @param folder Absolute path; need not exist yet.
 * @returns undefined if there is no package.json.
 * @see https://nodejs.org/api/packages.html#type
 */
function findPackageType(folder: string): "module" | "commonjs" | undefined {
  const type = readType(join(folder, "package.json"));
  if (type !== undefined) return type === "module" ? "module" : "commonjs";
  const parent = dirname(folder);
  return parent === folder ? undefined : findPackageType(parent);
}

/** @returns undefined if the file is missing or is not JSON; null if it has no `type`. */
function readType(file: string): unknown {
  try {
    const manifest = JSON.parse(readFileSync(file, "utf8")) as { readonly type?: unknown } | null;
    return manifest?.type ?? null;
  } catch {
    return undefined;
  }
}

/** An API of redocly.yaml, with or without generated files. */
export interface NamedApi {
  readonly name: string;
  /** Absolute path of the contract's root document, or its URL. */
  readonly root: string;
  /** Absolute path of the folder for generated files; undefined if there is none. */
  readonly output: string | undefined;
  /** The generated client has its calls in groups. */
  readonly groupByTag?: boolean;
  readonly config: Config;
  readonly docs?: DocsSettings | undefined;
}

/**
 * Reads the contracts that a redocly.yaml names and the settings of their docs, without validating its other settings.
 * @param directory Absolute path of the folder that contains redocly.yaml; its paths are relative to it.
 * @throws {ContractError} `config-missing`, `config-invalid`, `document-unreadable` or `document-syntax`; `api-docs` or
 *   `config-unknown` for settings of the docs; `api-output` for an output that is outside the project by a symbolic link.
 */
export async function loadNamedApis(directory: string): Promise<readonly NamedApi[]> {
  const { source, parsed, config } = await readConfig(directory);
  const problems: Problem[] = [];
  const report: Report = (code, pointer, message, hint) => {
    const position = toPosition({ source, pointer, reportOnKey: true });
    problems.push(createProblem(code, message, position, hint));
  };
  const apis = getMembers({ node: parsed, pointer: "#" }, "apis").flatMap(({ name, node, pointer: own }) => {
    const root = toText(node["root"]);
    const found = getOwn(node, "x-tenon");
    const extension = isNode(found) ? found : {};
    const output = toText(extension["output"]);
    if (root === undefined) return [];
    const linked = output === undefined ? undefined : findLinkedOutput(directory, resolve(directory, output));
    const pointer = joinPointer(own, "x-tenon");
    if (linked !== undefined) report("api-output", joinPointer(pointer, "output"), linked);
    return [
      {
        name,
        root: resolveRoot(directory, root),
        output: output === undefined ? undefined : resolve(directory, output),
        groupByTag: extension["groupByTag"] === true,
        config: config.forAlias(name),
        docs: readDocsSettings({ node: extension, pointer }, directory, report),
      },
    ];
  });
  if (problems.length > 0) throw new ContractError(problems);
  return apis;
}

async function readConfig(directory: string) {
  const file = join(directory, "redocly.yaml");
  if (!existsSync(file)) {
    const hint = 'Create one, or run "tenon init" in an empty folder to create a service';
    const problem = createProblem(
      "config-missing",
      "There is no redocly.yaml in this folder",
      toStart(file),
      hint,
    );
    throw new ContractError([problem]);
  }
  const resolver = new BaseResolver();
  const document = await readDocument(file, resolver);
  const { source, parsed } = document;
  assertTextual(document);
  assertExpandable(document);
  if (!isNode(parsed)) throw toInvalidError(source, "It must be an object with `apis`");
  const config = await loadConfig({ configPath: file, externalRefResolver: resolver }).catch(
    (cause: unknown) => {
      throw toInvalidError(source, (cause as Error).message.split("\n", 1)[0] ?? "");
    },
  );
  return { source, parsed, config, resolver };
}

/** Creates the error for an unusable redocly.yaml, without a position: Redocly's errors about plugins and presets have none. */
function toInvalidError(source: Source, reason: string): ContractError {
  const message = `Cannot use redocly.yaml: ${reason}`;
  const position = toPosition({ source, pointer: "#/", reportOnKey: true });
  return new ContractError([createProblem("config-invalid", message, position)]);
}
