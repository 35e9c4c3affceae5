import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { isContained } from "../../load/index.js";
import { createNames, type DocsFile, toFile } from "../assets/docs-file.js";
import { createPolicy } from "../assets/page-policy.js";

/** An SVG or a page that is opened by itself can neither run nor load anything. */
const POLICY = createPolicy({ "style-src": "'unsafe-inline'", sandbox: "" });

/** The files of the project that are copied into a site: pictures, and what guides link to. */
export class Attachments {
  readonly #names = new Map<string, string>();
  // Some hosts omit names with an underscore.
  readonly #choose = createNames();

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
    const start = basename(path, extname(path)).replaceAll(/[^\w-]+/g, "-");
    const name = this.#choose(`files/${start.replace(/^[_-]+/, "") || "file"}`, extname(path));
    this.#names.set(path, name);
    return name;
  }

  /** @throws when a file cannot be read. */
  read(): readonly DocsFile[] {
    return [...this.#names].map(([path, name]) =>
      toFile(name, readFileSync(path, "latin1"), { encoding: "latin1", policy: POLICY }),
    );
  }
}
