import { relative, resolve, sep } from "node:path";
import { isNode, type Located, type Node, type Report, toText } from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import { type DiffSettings, readDiffSettings } from "./config-diff.js";
import { toHint } from "../load/nearest.js";

/** What redocly.yaml says of one API, for Tenon. */
export interface ApiSettings {
  readonly name: string;
  /** Absolute path of the contract's root document. */
  readonly root: string;
  /** Absolute path of the folder for generated files. */
  readonly output: string;
  /** Absolute path of the folder that handlers are written in; undefined when `x-tenon` names none. */
  readonly handlers: string | undefined;
  /** Absolute path of the module that starts the service; undefined when `x-tenon` names none. */
  readonly main: string | undefined;
  /** Whether types go to one file a tag. Default: by the contract's size. */
  readonly split?: boolean;
  /** What Node takes the compiled generated files for. Default: `esm`. */
  readonly module?: (typeof MODULES)[number];
  /** What `tenon diff` makes of changes. */
  readonly diff?: DiffSettings;
}

export interface ApiContext {
  /** Absolute path of the folder that redocly.yaml is in. */
  readonly directory: string;
  /** Those that were read before. */
  readonly apis: readonly ApiSettings[];
  readonly report: Report;
}

const KEYS = ["output", "handlers", "main", "split", "module", "diff"];

const MODULES = ["esm", "commonjs"] as const;

/**
 * Reads one member of `apis`.
 * @returns undefined when it has no `x-tenon`, or when something is wrong with that, which is reported.
 */
export function readApi(name: string, api: Located, context: ApiContext): ApiSettings | undefined {
  const { directory, report } = context;
  const extension = getOwn(api.node, "x-tenon");
  const pointer = joinPointer(api.pointer, "x-tenon");
  if (extension === undefined) return undefined;
  if (!isNode(extension)) {
    report("api-output", pointer, `x-tenon must be an object, for example { output: generated/${name} }`);
    return undefined;
  }
  for (const key of Object.keys(extension).filter((found) => !KEYS.includes(found))) {
    const { hint } = toHint(key, KEYS);
    report("config-unknown", joinPointer(pointer, key), `x-tenon has no member "${key}"`, hint);
  }
  const diff = readDiffSettings({ node: extension, pointer }, report);
  const module = MODULES.find((kind) => kind === extension["module"]);
  const settings: ApiSettings = {
    name,
    root: resolve(directory, toText(api.node["root"]) ?? ""),
    output: resolve(directory, toText(extension["output"]) ?? ""),
    handlers: resolveMember(directory, extension, "handlers"),
    main: resolveMember(directory, extension, "main"),
    ...(typeof extension["split"] === "boolean" && { split: extension["split"] }),
    ...(module !== undefined && { module }),
    ...(diff && { diff }),
  };
  reportHandlers(settings, joinPointer(pointer, "handlers"), context);
  const { main, split } = extension;
  if (main !== undefined && (settings.main === undefined || !isBelow(directory, settings.main))) {
    const message = "x-tenon.main must be a file below redocly.yaml, for example src/main.ts";
    report("api-main", joinPointer(pointer, "main"), message);
  }
  if (split !== undefined && typeof split !== "boolean") {
    const message = `x-tenon.split must be true or false, found ${JSON.stringify(split)}`;
    report("api-split", joinPointer(pointer, "split"), message);
  }
  if (extension["module"] !== undefined && module === undefined) {
    const message = `x-tenon.module must be esm or commonjs, found ${JSON.stringify(extension["module"])}`;
    report("api-module", joinPointer(pointer, "module"), message);
  }
  const fault = findOutputFault(settings, context);
  if (fault === undefined) return settings;
  report("api-output", joinPointer(pointer, "output"), fault);
  return undefined;
}

function reportHandlers(
  { name, handlers }: ApiSettings,
  pointer: string,
  { directory, apis, report }: ApiContext,
): void {
  if (handlers === undefined) return;
  if (!isBelow(directory, handlers)) {
    const message = `x-tenon.handlers must be a folder below redocly.yaml, for example src/handlers/${name}`;
    report("api-handlers", pointer, message);
  } else if (apis.some((api) => api.handlers === handlers)) {
    const message = `Another API has its handlers there already; x-tenon.handlers can be src/handlers/${name}`;
    report("api-handlers", pointer, message);
  }
}

function findOutputFault(
  { name, root, output }: ApiSettings,
  { directory, apis }: ApiContext,
): string | undefined {
  if (!isBelow(directory, output)) {
    return `x-tenon.output must be a folder below redocly.yaml, for example generated/${name}`;
  }
  const other = apis.find(
    (api) => api.output === output || isBelow(api.output, output) || isBelow(output, api.output),
  );
  if (other !== undefined) {
    return `APIs "${other.name}" and "${name}" must have different folders as x-tenon.output, neither within the other`;
  }
  if (isBelow(output, root)) {
    return `x-tenon.output must be a folder of its own, for example generated/${name}: the contract is in this one`;
  }
  return undefined;
}

function resolveMember(directory: string, extension: Node, name: string): string | undefined {
  return name in extension ? resolve(directory, toText(extension[name]) ?? "") : undefined;
}

/** Generated files never go to the project's own folder or out of it: whatever else is there would count as stray. */
function isBelow(directory: string, folder: string): boolean {
  const path = relative(directory, folder);
  return path !== "" && path !== ".." && !path.startsWith(`..${sep}`);
}
