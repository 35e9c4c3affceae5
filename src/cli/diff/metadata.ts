import { isNode, type Located, toStrings, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { type Comparison, type Scope, type Sides, tell } from "./comparison.js";
import type { View } from "./view.js";

/** Compares by what an operation is named and grouped. */
export function compareMetadata(at: Sides<Located>, scope: Scope): void {
  const [before, after] = [at.base, at.revision].map(({ node }) => toText(node["operationId"]));
  const told = { at, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  if (before !== after) {
    if (before === undefined)
      tell("operation-id-added", { ...told, message: "The operation has an operationId" }, scope);
    else if (after === undefined)
      tell("operation-id-removed", { ...told, message: `The operationId "${before}" is gone` }, scope);
    else
      tell(
        "operation-id-changed",
        { ...told, message: `The operationId "${before}" is now "${after}"` },
        scope,
      );
  }
  const [old, current] = [at.base, at.revision].map(({ node }) => toStrings(node["tags"]));
  for (const tag of current?.filter((name) => old?.includes(name) !== true) ?? [])
    tell("operation-tag-added", { message: `The operation has the tag "${tag}"`, at, after: tag }, scope);
  for (const tag of old?.filter((name) => current?.includes(name) !== true) ?? [])
    tell(
      "operation-tag-removed",
      { message: `The operation no longer has the tag "${tag}"`, at, before: tag },
      scope,
    );
}

/** Tells in one change that texts for people are different, wherever they are written. */
export function compareTexts(comparison: Comparison): void {
  const { views } = comparison;
  const [before, after] = [collectTexts(views.base), collectTexts(views.revision)];
  const gone = [...before].filter((text) => !after.has(text)).length;
  const come = [...after].filter((text) => !before.has(text)).length;
  if (gone + come === 0) return;
  const message = `Texts for people differ: ${come} new, ${gone} gone`;
  tell("texts-changed", { message, at: { revision: views.revision.root } }, comparison);
}

export function compareVersions(comparison: Comparison): void {
  const { base, revision } = comparison.views;
  const [before, after] = [readVersion(base), readVersion(revision)];
  if (before === after) return;
  const info = { node: revision.document, pointer: "#/info/version" };
  const message = `info.version is ${after ?? "gone"} and was ${before ?? "not there"}`;
  tell("version-changed", { message, at: { revision: info }, before, after }, comparison);
}

export function readVersion({ document }: Pick<View, "document">): string | undefined {
  const info = getOwn(document, "info");
  return isNode(info) ? toText(info["version"]) : undefined;
}

const TEXTS = ["description", "summary", "title"];
/** Their values are data. */
const DATA: ReadonlySet<string> = new Set(["example", "examples", "default", "enum", "const"]);

function collectTexts({ document }: View): ReadonlySet<string> {
  const texts = new Set<string>();
  const seen = new Set<object>();
  const pending: unknown[] = [document];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === "string" && TEXTS.includes(key)) texts.add(child.trim());
      else if (typeof child === "object" && !(DATA.has(key) && !isNode(child))) pending.push(child);
    }
  }
  return texts;
}
