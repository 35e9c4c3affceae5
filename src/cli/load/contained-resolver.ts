import { existsSync, realpathSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, parse, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import {
  BaseResolver,
  type Config,
  type Document,
  ResolveError,
  Source,
  type YamlParseError,
} from "@redocly/openapi-core";
import { isNode, resolveSelf, toStrings } from "tenon/core/document";
import { assertExpandable, type Size } from "./expansion.js";
import { assertTextual, collectOrigins, type Origins, setJson } from "./locate.js";
import { parseJson } from "./parse-json.js";

/** @throws {Error} with Node's `code`, for example `ENOENT`. */
export type ReadFile = (path: string) => Promise<string>;

/** A file or URL that a contract may not refer to. The message completes "Cannot resolve". */
export class ForbiddenReference extends Error {
  override readonly name = "ForbiddenReference";
}

/** The value of an example that is on another host. It is not fetched, because no generated file needs it. */
class RemoteExample {
  constructor(readonly url: string) {}
}

const MAX_REDIRECTS = 5;

/**
 * Reads the files of a contract. References must stay inside the project folder; URLs must be on the host of the contract itself or
 * on one of `x-tenon.referenceHosts`.
 *
 * It also records the position of every object of the referenced documents. Bundling moves objects but keeps their identity.
 */
export class ContainedResolver extends BaseResolver {
  readonly origins: Origins = new Map();
  /** Absolute paths or URLs of the overlays. */
  readonly overlays: readonly string[];
  readonly #root: string;
  readonly #read: ReadFile | undefined;
  readonly #folder: string;
  readonly #hosts: ReadonlySet<string>;
  readonly #repeated: Size = { objects: 0, text: 0 };
  /** URLs of external examples. */
  readonly #examples = new Set<string>();

  /**
   * @param root Absolute path or URL of the contract, which may be anywhere.
   * @param read Reads a file. Default: from disk.
   * @param overlays Absolute paths or URLs. Default: those of redocly.yaml.
   */
  constructor(root: string, config: Config, read?: ReadFile, overlays = listOverlays(root, config)) {
    const customFetch = (url: string, init?: RequestInit) => this.#fetch(url, init);
    super({ ...config.resolve, http: { ...config.resolve.http, customFetch } });
    this.#root = root;
    this.#read = read;
    this.overlays = overlays;
    this.#folder = isHttp(root) ? "" : findProjectFolder(root, config.configPath);
    this.#hosts = new Set([
      ...readList(config, "referenceHosts"),
      ...(isHttp(root) ? [new URL(root).host] : []),
    ]);
  }

  /** @throws {ForbiddenReference} if a contract may not refer to a file or URL. */
  assertAllowed(target: string): void {
    if (target === this.#root) return;
    if (/^[a-z][a-z0-9+.-]+:/i.test(target) && !isDrive(target)) {
      this.#assertHost(target);
      return;
    }
    if (this.#folder === "" || !isContained(this.#folder, target))
      throw new ForbiddenReference("the file is outside the project folder");
  }

  #assertHost(target: string): void {
    const host = isHttp(target) && URL.canParse(target) ? new URL(target).host : undefined;
    if (host === undefined) throw new ForbiddenReference("only files and http URLs are read");
    if (!this.#hosts.has(host))
      throw new ForbiddenReference(`x-tenon.referenceHosts does not contain the host ${host}`);
  }

  override async resolveDocument<T = unknown>(
    base: string | null,
    reference: string,
    isRoot?: boolean,
  ): Promise<Document<T> | ResolveError | YamlParseError> {
    const target = this.resolveExternalRef(base, reference);
    if (this.#examples.has(target) && !this.cache.has(target))
      // Not a document that Redocly can walk through.
      return { source: new Source(target, ""), parsed: new RemoteExample(target) as T };
    return super.resolveDocument<T>(base, reference, isRoot);
  }

  override async loadExternalRef(file: string): Promise<Source> {
    try {
      this.assertAllowed(file);
      if (this.#read !== undefined && !isHttp(file)) return new Source(file, await this.#read(file));
      if (file !== this.#root && !isHttp(file)) await assertRegular(file);
    } catch (error) {
      throw new ResolveError(error as Error);
    }
    return super.loadExternalRef(file);
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const mayBeJson = isRoot === true || source.absoluteRef.endsWith(".json");
    const parsed = mayBeJson ? parseJson(source.body) : undefined;
    if (parsed) setJson(source);
    const document = parsed ? { source, parsed } : this.#parseYaml(source, isRoot);
    this.resolveSelf(document);
    if (isRoot !== true) collectOrigins(document, this.origins);
    this.#collectExamples(document);
    return document;
  }

  #parseYaml(source: Source, isRoot?: boolean): Document {
    const document = super.parseDocument(source, isRoot);
    assertTextual(document);
    assertExpandable(document, this.#repeated);
    return document;
  }

  /** Rewrites the references of a document with `$self`. */
  resolveSelf({ source: { absoluteRef }, parsed }: Document): void {
    resolveSelf(parsed, isHttp(absoluteRef) ? absoluteRef : pathToFileURL(absoluteRef).href);
  }

  #collectExamples({ source, parsed }: Document): void {
    if (!source.body.includes("externalValue")) return;
    visitNodes(parsed, (node) => {
      const { externalValue } = node;
      if (typeof externalValue !== "string") return;
      const target = this.resolveExternalRef(source.absoluteRef, externalValue.split("#", 1)[0] ?? "");
      if (isHttp(target)) this.#examples.add(target);
    });
  }

  /** Replaces the values that bundling gave to external examples by their URLs. */
  restoreExamples(document: unknown): void {
    if (this.#examples.size === 0) return;
    visitNodes(document, (node) => {
      if (!(node["value"] instanceof RemoteExample)) return;
      node["externalValue"] = node["value"].url;
      delete node["value"];
    });
  }

  /** Follows redirects to allowed hosts only. Headers of redocly.yaml are for the host of the first URL. */
  async #fetch(first: string, init?: RequestInit): Promise<Response> {
    let url = first;
    let headers = init?.headers;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await fetch(url, { ...init, ...(headers && { headers }), redirect: "manual" });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) return response;
      const next = new URL(location, url);
      this.#assertHost(next.href);
      if (next.host !== new URL(url).host) headers = undefined;
      url = next.href;
    }
    throw new Error(`More than ${MAX_REDIRECTS} redirects`);
  }
}

/** Reads a list of an API's `x-tenon`, which is validated with the other settings. */
function readList({ resolvedConfig }: Config, key: "referenceHosts" | "overlays"): readonly string[] {
  const extension = (resolvedConfig as Readonly<Record<string, unknown>>)["x-tenon"];
  return isNode(extension) ? toStrings(extension[key]) : [];
}

/** Lists the absolute paths and URLs of an API's overlays. */
export function listOverlays(root: string, config: Config): readonly string[] {
  const folder = dirname(config.configPath ?? root);
  return readList(config, "overlays").map((file) => (isHttp(file) ? file : resolve(folder, file)));
}

/** Finds the folder of redocly.yaml, or of the contract if there is none at or above it. */
function findProjectFolder(root: string, configPath: string | undefined): string {
  const folder = dirname(root);
  if (configPath !== undefined && isBelow(dirname(configPath), root)) return dirname(configPath);
  for (let above = folder; above !== parse(above).root; above = dirname(above))
    if (existsSync(join(above, "redocly.yaml"))) return above;
  return folder;
}

/** Refuses a pipe or device, which may never end. The user may give the contract itself by a pipe. */
async function assertRegular(file: string): Promise<void> {
  const found = await stat(file);
  if (!found.isFile() && !found.isDirectory()) throw new Error("it is not a regular file");
}

function isHttp(file: string): boolean {
  return /^https?:\/\//.test(file);
}

/** Tests for an absolute path of Windows, which looks like a URL. */
function isDrive(path: string): boolean {
  return /^[a-z]:[\\/]/i.test(path);
}

/** Tests whether a path is inside a folder. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && parse(way).root === "";
}

/** Tests whether a path is inside a folder, also after symbolic links are resolved. */
export function isContained(folder: string, path: string): boolean {
  return isBelow(folder, path) && isBelow(toReal(folder), toReal(path));
}

/** Tests whether a path is a file, or a pipe that the user gives a contract by, and not a folder. */
export function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Resolves the symbolic links of a path, whose end may not exist. */
export function toReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(toReal(folder), path.slice(folder.length));
  }
}

/** Visits each object once: a YAML alias is the same object as its anchor. */
function visitNodes(
  value: unknown,
  visit: (node: Record<string, unknown>) => void,
  seen = new Set<unknown>(),
): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (isNode(value)) visit(value);
  for (const child of Object.values(value)) visitNodes(child, visit, seen);
}
