/** The APIs of a project's redocly.yaml, their models, and their folders of generated files. */
export type { Accent } from "./accent.js";
export { type ApiConfig, loadApis, loadNamedApis, type NamedApi } from "./config.js";
export type { DocsSettings, HeaderLink } from "./docs-settings.js";
export {
  CHANGELOG_FILE,
  countLines,
  type FileChange,
  type FolderChanges,
  isSameText,
  planChanges,
  writeChanges,
} from "./file-changes.js";
export type { Fixed } from "./fixes.js";
export {
  type Finding,
  isLenient,
  type LoadedModel,
  loadModel,
  loadServed,
  type Model,
  toModel,
  toProblems,
} from "./load-model.js";
export {
  chooseApi,
  chooseApis,
  createUnknownApiError,
  createUnnamedError,
  findContract,
  findFile,
  findTsconfig,
  loadProject,
  selectApis,
} from "./select-apis.js";
export { applyEdits, type EditedFile, listChangedLines, type TextEdit, toFileChange } from "./text-edits.js";

/** Loads what edits contracts, with a parser that keeps their layout. */
export const loadFixes = () => import("./fixes.js");
