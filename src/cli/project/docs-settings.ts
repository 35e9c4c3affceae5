import { statSync } from "node:fs";
import { resolve } from "node:path";
import { getOwn, isNode, joinPointer, type Located, toText } from "tenon/core/document";
import type { Report } from "tenon/core/model";
import { isContained } from "../load/index.js";
import { toHint } from "../output/nearest.js";
import { type Accent, findAccentProblem, toAccent } from "./accent.js";

/**
 * The settings of `tenon docs` for one API in redocly.yaml:
 * ```yaml
 * docs:
 *   guides: [guides/getting-started.md, guides/errors.md]
 *   url: https://docs.example.com/
 *   accent: "#0b6e4f"
 *   logo: guides/logo.svg
 *   favicon: guides/icon.svg
 *   links: { Status: https://status.example.com }
 * ```
 */
export interface DocsSettings {
  /** Absolute paths of the Markdown files that are pages of the site, in the order of the menu. */
  readonly guides: readonly string[];
  /** Address of the published site, with a slash at the end. */
  readonly url?: string | undefined;
  readonly accent?: Accent | undefined;
  /** Absolute path of a picture. */
  readonly logo?: string | undefined;
  /** Absolute path of a picture. */
  readonly favicon?: string | undefined;
  /** Links in the bar of each page. */
  readonly links: readonly HeaderLink[];
}

export interface HeaderLink {
  readonly text: string;
  readonly url: string;
}

const KEYS = ["guides", "url", "accent", "logo", "favicon", "links"];

/**
 * @param directory Absolute path of the folder that contains redocly.yaml; files must be inside it.
 * @returns undefined if there is no `docs`. Invalid settings are reported.
 */
export function readDocsSettings(
  extension: Located,
  directory: string,
  report: Report,
): DocsSettings | undefined {
  const node = getOwn(extension.node, "docs");
  if (node === undefined) return undefined;
  const pointer = joinPointer(extension.pointer, "docs");
  const refuse = (message: string, ...path: readonly (string | number)[]) => {
    report("api-docs", joinPointer(pointer, ...path.map(String)), `x-tenon.docs${message}`);
    return undefined;
  };
  if (!isNode(node)) {
    refuse(` must be an object of ${KEYS.map((key) => `\`${key}\``).join(", ")}`);
    return undefined;
  }
  for (const key of Object.keys(node).filter((found) => !KEYS.includes(found))) {
    const message = `x-tenon.docs has an unknown member "${key}"`;
    report("config-unknown", joinPointer(pointer, key), message, toHint(key, KEYS).hint);
  }
  const readFile = (value: unknown, ...path: readonly (string | number)[]): string | undefined => {
    const file = typeof value === "string" ? resolve(directory, value) : undefined;
    if (file !== undefined && isContained(directory, file) && isFile(file)) return file;
    const found = file === undefined || isContained(directory, file) ? "there is no file " : "";
    refuse(`.${path.join(".")} must be a file below redocly.yaml: ${found}${show(value)}`, ...path);
    return undefined;
  };
  const readPicture = (key: "logo" | "favicon") => {
    const value = getOwn(node, key);
    return value === undefined ? undefined : readFile(value, key);
  };
  const { guides = [], url, accent, links = {} } = node;
  if (!Array.isArray(guides))
    refuse(`.guides must be a list of Markdown files, found ${show(guides)}`, "guides");
  const isAddress = isWebAddress(url) && !/[?#]/.test(url);
  if (url !== undefined && !isAddress)
    refuse(`.url must be the address of the published site, for example https://docs.example.com/`, "url");
  const problem = accent === undefined ? undefined : findAccentProblem(accent);
  if (problem !== undefined) refuse(`.accent${problem}`, "accent");
  return {
    guides: (Array.isArray(guides) ? guides : []).flatMap(
      (file, index) => readFile(file, "guides", index) ?? [],
    ),
    url: isAddress ? url.replace(/\/?$/, "/") : undefined,
    accent: accent === undefined || problem !== undefined ? undefined : toAccent(accent),
    logo: readPicture("logo"),
    favicon: readPicture("favicon"),
    links: Object.entries(isNode(links) ? links : {}).flatMap(([text, target]) => {
      const address = toText(target);
      if (address !== undefined && isWebAddress(address)) return [{ text, url: address }];
      refuse(`.links must be web addresses by their texts, found ${show(target)}`, "links", text);
      return [];
    }),
  };
}

function isWebAddress(value: unknown): value is string {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Also for a path that is too long, or has a NUL.
    return false;
  }
}

function show(value: unknown): string {
  return JSON.stringify(value);
}
