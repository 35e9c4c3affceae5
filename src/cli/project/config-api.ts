import { join, relative, resolve } from "node:path";
import { isAbsoluteUrl } from "@redocly/openapi-core";
import { getOwn, isNode, joinPointer, type Located, type Node, toText } from "tenon/core/document";
import type { Report } from "tenon/core/model";
import { type DiffSettings, readDiffSettings } from "../diff/codes/index.js";
import { ADDITIONAL_FILES, type AdditionalFile, CODEC_TYPES, type CodecTypes } from "../generate/text.js";
import { isBelow, toReal } from "../load/index.js";
import { toHint } from "../output/nearest.js";
import { type DocsSettings, readDocsSettings } from "./docs-settings.js";

/** The settings of one API in redocly.yaml that Tenon reads. */
export interface ApiSettings {
  readonly name: string;
  /** Absolute path of the contract's root document, or its URL. */
  readonly root: string;
  /** Absolute path of the folder for generated files. */
  readonly output: string;
  /** Absolute path of the folder of the handlers; undefined if `x-tenon` does not set it. */
  readonly handlers: string | undefined;
  /** Absolute path of the module that starts the service; undefined if `x-tenon` does not set it. */
  readonly main: string | undefined;
  /** Emits types into one file per tag. Default: depends on the contract's size. */
  readonly split?: boolean;
  /** Groups the calls of the client by tag. Default: false. */
  readonly groupByTag?: boolean;
  /** Files that are generated beside the usual ones. Default: none. */
  readonly generate?: readonly AdditionalFile[];
  /** Types of the formats that schemas.ts has codecs for. Default: none. */
  readonly codecs?: CodecTypes;
  /** Module system of the compiled generated files. Default: `esm`. */
  readonly module?: (typeof MODULES)[number] | undefined;
  /** Extension of relative imports in generated code. Default: `js`. */
  readonly importExtension?: (typeof IMPORT_EXTENSIONS)[number] | undefined;
  /** Settings of `tenon diff`. */
  readonly diff?: DiffSettings | undefined;
  /** Settings of `tenon docs`. */
  readonly docs?: DocsSettings | undefined;
}

interface ApiContext {
  /** Absolute path of the folder that contains redocly.yaml. */
  readonly directory: string;
  /** The APIs before this one. */
  readonly apis: readonly ApiSettings[];
  readonly report: Report;
}

const KEYS = [
  "output",
  "handlers",
  "main",
  "split",
  "groupByTag",
  "generate",
  "codecs",
  "module",
  "importExtension",
  "diff",
  "overlays",
  "docs",
  "referenceHosts",
  "lenient",
];

const MODULES = ["esm", "commonjs"] as const;

const IMPORT_EXTENSIONS = ["js", "ts"] as const;

/**
 * Reads one member of `apis`.
 * @returns undefined if it has no `x-tenon`, or an invalid one, which is reported.
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
    report("config-unknown", joinPointer(pointer, key), `x-tenon has an unknown member "${key}"`, hint);
  }
  const module = MODULES.find((kind) => kind === extension["module"]);
  const importExtension = IMPORT_EXTENSIONS.find((kind) => kind === extension["importExtension"]);
  const settings: ApiSettings = {
    name,
    root: resolveRoot(directory, toText(api.node["root"]) ?? ""),
    output: resolve(directory, toText(extension["output"]) ?? ""),
    handlers: resolveMember(directory, extension, "handlers"),
    main: resolveMember(directory, extension, "main"),
    ...(typeof extension["split"] === "boolean" && { split: extension["split"] }),
    ...(typeof extension["groupByTag"] === "boolean" && { groupByTag: extension["groupByTag"] }),
    ...(isAdditionalFiles(extension["generate"]) && { generate: extension["generate"] }),
    ...(isCodecTypes(extension["codecs"]) && { codecs: extension["codecs"] }),
    module,
    importExtension,
    diff: readDiffSettings({ node: extension, pointer }, report),
    docs: readDocsSettings({ node: extension, pointer }, directory, report),
  };
  const { main, split } = extension;
  const problems = {
    handlers: findHandlersProblem(settings, context),
    main:
      main !== undefined && (settings.main === undefined || !isBelow(directory, settings.main))
        ? "x-tenon.main must be a file below redocly.yaml, for example src/main.ts"
        : undefined,
    split:
      split !== undefined && typeof split !== "boolean"
        ? `x-tenon.split must be true or false, found ${JSON.stringify(split)}`
        : undefined,
    module:
      extension["module"] !== undefined && module === undefined
        ? `x-tenon.module must be esm or commonjs, found ${JSON.stringify(extension["module"])}`
        : undefined,
    output: findOutputProblem(settings, context),
  };
  if (extension["importExtension"] !== undefined && importExtension === undefined) {
    const message = `x-tenon.importExtension must be js or ts, found ${JSON.stringify(extension["importExtension"])}`;
    report("api-import-extension", joinPointer(pointer, "importExtension"), message);
  }
  for (const key of ["handlers", "main", "split", "module", "output"] as const) {
    const message = problems[key];
    if (message !== undefined) report(`api-${key}`, joinPointer(pointer, key), message);
  }
  const { referenceHosts, lenient, groupByTag, generate, codecs, overlays } = extension;
  if (groupByTag !== undefined && typeof groupByTag !== "boolean") {
    const message = `x-tenon.groupByTag must be true or false, found ${JSON.stringify(groupByTag)}`;
    report("api-group-by-tag", joinPointer(pointer, "groupByTag"), message);
  }
  if (generate !== undefined && !isAdditionalFiles(generate)) {
    const message = `x-tenon.generate must be a list of ${ADDITIONAL_FILES.join(", ")}, found ${JSON.stringify(generate)}`;
    report("api-generate", joinPointer(pointer, "generate"), message);
  }
  if (codecs !== undefined) {
    const message = isCodecTypes(codecs)
      ? "x-tenon.codecs are a part of schemas.ts, which needs x-tenon.generate: [schemas]"
      : `x-tenon.codecs must have types by format, such as { date-time: Date, int64: bigint }, found ${JSON.stringify(codecs)}`;
    if (!isCodecTypes(codecs) || settings.generate?.includes("schemas") !== true)
      report("api-codecs", joinPointer(pointer, "codecs"), message, toCodecHint());
  }
  if (overlays !== undefined && !isFileList(directory, overlays)) {
    const message = `x-tenon.overlays must be a list of files below redocly.yaml, for example [openapi/v1.overlay.yaml], found ${JSON.stringify(overlays)}`;
    report("api-overlays", joinPointer(pointer, "overlays"), message);
  }
  if (lenient !== undefined && typeof lenient !== "boolean") {
    const message = `x-tenon.lenient must be true or false, found ${JSON.stringify(lenient)}`;
    report("api-lenient", joinPointer(pointer, "lenient"), message);
  }
  if (referenceHosts !== undefined && !isHostList(referenceHosts)) {
    const message = `x-tenon.referenceHosts must be a list of hosts, for example [schemas.example.com], found ${JSON.stringify(referenceHosts)}`;
    report("api-reference-hosts", joinPointer(pointer, "referenceHosts"), message);
  }
  return problems.output === undefined ? settings : undefined;
}

function isCodecTypes(value: unknown): value is CodecTypes {
  const allowed: Readonly<Record<string, readonly unknown[]>> = CODEC_TYPES;
  return (
    isNode(value) && Object.entries(value).every(([format, type]) => getOwn(allowed, format)?.includes(type))
  );
}

/** Lists the formats and their types. */
function toCodecHint(): string {
  const formats = Object.entries(CODEC_TYPES).map(([format, types]) => `${format}: ${types.join(" or ")}`);
  return `The formats are ${formats.join(", ")}.`;
}

function isAdditionalFiles(value: unknown): value is readonly AdditionalFile[] {
  return Array.isArray(value) && value.every((name) => ADDITIONAL_FILES.some((known) => known === name));
}

function findHandlersProblem(
  { name, handlers }: ApiSettings,
  { directory, apis }: ApiContext,
): string | undefined {
  if (handlers === undefined) return undefined;
  if (!isBelow(directory, handlers))
    return `x-tenon.handlers must be a folder below redocly.yaml, for example src/handlers/${name}`;
  if (isLinkedOut(directory, handlers))
    return "x-tenon.handlers must be a folder below redocly.yaml: a symbolic link leads out of the project";
  if (apis.some((api) => api.handlers === handlers))
    return `Another API already has this handlers folder; x-tenon.handlers can be src/handlers/${name}`;
  return undefined;
}

function findOutputProblem(
  { name, root, output }: ApiSettings,
  { directory, apis }: ApiContext,
): string | undefined {
  if (!isBelow(directory, output)) {
    return `x-tenon.output must be a folder below redocly.yaml, for example generated/${name}`;
  }
  const linked = findLinkedOutput(directory, output);
  if (linked !== undefined) return linked;
  const other = apis.find(
    (api) => api.output === output || isBelow(api.output, output) || isBelow(output, api.output),
  );
  if (other !== undefined) {
    return `APIs "${other.name}" and "${name}" must have different folders as x-tenon.output, neither within the other`;
  }
  if (isBelow(output, root)) {
    return `x-tenon.output must be a separate folder, for example generated/${name}: the current one contains the contract`;
  }
  return undefined;
}

/** Resolves the `root` of an API; a URL is already absolute. */
export function resolveRoot(directory: string, root: string): string {
  return isAbsoluteUrl(root) ? root : resolve(directory, root);
}

/** URLs are allowed as references are, by their host. */
function isFileList(directory: string, value: unknown): boolean {
  const isFile = (file: unknown) =>
    typeof file === "string" && (isAbsoluteUrl(file) || isBelow(directory, resolve(directory, file)));
  return Array.isArray(value) && value.every(isFile);
}

/** A host has a port unless it is that of its scheme: `schemas.example.com`, `localhost:8080`. */
function isHostList(value: unknown): boolean {
  const isHost = (host: unknown) =>
    typeof host === "string" && URL.canParse(`http://${host}`) && new URL(`http://${host}`).host === host;
  return Array.isArray(value) && value.every(isHost);
}

function resolveMember(directory: string, extension: Node, name: string): string | undefined {
  return name in extension ? resolve(directory, toText(extension[name]) ?? "") : undefined;
}

/**
 * Finds the problem of a folder for generated files, or its folder of docs, that is outside the project by a symbolic link.
 * @param directory Absolute path of the folder that contains redocly.yaml, which may be a link itself.
 */
export function findLinkedOutput(directory: string, output: string): string | undefined {
  const linked = [output, join(output, "docs")].find((folder) => isLinkedOut(directory, folder));
  return linked === undefined
    ? undefined
    : `x-tenon.output must be a folder below redocly.yaml: a symbolic link at or above ${relative(directory, linked)} leads out of the project`;
}

function isLinkedOut(directory: string, folder: string): boolean {
  return !isBelow(toReal(directory), toReal(folder));
}
