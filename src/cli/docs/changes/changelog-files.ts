import { type Changelog, CHANGELOG_FILE } from "../../changelog/index.js";
import { type DocsFile, toBrowserScript, toPage, toStyleSheet } from "../assets/index.js";
import { createChangelogPage } from "./changelog-page.js";
import { CHANGES_SCRIPT, CHANGES_STYLE_SHEET } from "./changes-page.js";

const PAGE = "changelog.html";

/** What a contract's history adds to its docs site. */
export function createChangelogFiles(changelog: Changelog): readonly DocsFile[] {
  return [
    toPage(PAGE, createChangelogPage(changelog, "site")),
    toStyleSheet(CHANGES_STYLE_SHEET, "palette", "changes"),
    toBrowserScript(CHANGES_SCRIPT, "changes"),
    { name: CHANGELOG_FILE, mediaType: "application/json", text: `${JSON.stringify(changelog, null, 2)}\n` },
  ];
}

/** Markdown before the contract's description, which is what Redoc shows first: it has no place for links of ours. */
export const CHANGELOG_LINK = `[What changed, version by version](${PAGE})`;
