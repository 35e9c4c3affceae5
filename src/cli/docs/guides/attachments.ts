import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { isContained } from "../../load/index.js";
import type { DocsFile } from "../assets/docs-file.js";
import { createPolicy } from "../assets/page-policy.js";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ...{ ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif" },
  ...{ ".svg": "image/svg+xml", ".webp": "image/webp", ".avif": "image/avif", ".ico": "image/x-icon" },
  ...{ ".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml" },
  ...{ ".pdf": "application/pdf", ".csv": "text/csv; charset=utf-8", ".txt": "text/plain; charset=utf-8" },
};

/** An SVG or a page that is opened by itself can neither run nor load anything. */
const POLICY = createPolicy({ "style-src": "'unsafe-inline'", sandbox: "" });

/** The files of the project that are copied into a site: pictures, and what guides link to. */
export class Attachments {
  readonly #names = new Map<string, string>();

  /** @param folder Absolute path of the folder that they must be inside. Undefined: there are none. */
  constructor(readonly folder: string | undefined) {}

  /** Absolute paths. */
  get paths(): readonly string[] {
    return [...this.#names.keys()];
  }

  /**
   * Adds a file by its absolute path.
   * @returns its address in the site, `files/logo.svg`; undefined when there is no such file inside the project.
   */
  add(path: string): string | undefined {
    const known = this.#names.get(path);
    if (known !== undefined || this.folder === undefined || !isContained(this.folder, path)) return known;
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    // Some file systems do not distinguish cases, and some hosts omit names with an underscore.
    const taken = new Set([...this.#names.values()].map((name) => name.toLowerCase()));
    const start =
      basename(path, extname(path))
        .replaceAll(/[^\w-]+/g, "-")
        .replace(/^[_-]+/, "") || "file";
    const toName = (count: number) => `files/${start}${count === 1 ? "" : `-${count}`}${extname(path)}`;
    let count = 1;
    while (taken.has(toName(count).toLowerCase())) count += 1;
    this.#names.set(path, toName(count));
    return toName(count);
  }

  /** @throws when a file cannot be read. */
  read(): readonly DocsFile[] {
    return [...this.#names].map(([path, name]) => ({
      name,
      mediaType: MEDIA_TYPES[extname(path).toLowerCase()] ?? "application/octet-stream",
      text: readFileSync(path, "latin1"),
      encoding: "latin1",
      policy: POLICY,
    }));
  }
}
