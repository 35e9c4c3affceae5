import { type Changelog, CHANGELOG_FILE } from "../changelog/changelog.js";
import { createChangelogPage } from "./changelog-page.js";
import { CHANGES_SCRIPT_FILE, CHANGES_STYLE_FILE } from "./changes/changes-page.js";
import { FILTER_SCRIPT } from "./changes/filter.js";
import { CHANGES_STYLES } from "./changes/look.js";
import type { DocsFile, DocumentedContract } from "./site.js";

const PAGE = "changelog.html";

/** What a contract's history adds to its docs site. */
export function createChangelogFiles(changelog: Changelog): readonly DocsFile[] {
  const page = createChangelogPage(changelog, "site");
  return [
    { name: PAGE, mediaType: "text/html; charset=utf-8", text: page },
    { name: CHANGES_STYLE_FILE, mediaType: "text/css; charset=utf-8", text: CHANGES_STYLES },
    { name: CHANGES_SCRIPT_FILE, mediaType: "text/javascript; charset=utf-8", text: FILTER_SCRIPT },
    { name: CHANGELOG_FILE, mediaType: "application/json", text: `${JSON.stringify(changelog, null, 2)}\n` },
  ];
}

/** Redoc has no place for links of ours; the description of the contract is what it shows first. */
export function withChangelogLink(
  contract: DocumentedContract,
  changelog: Changelog | undefined,
): DocumentedContract {
  if (changelog === undefined) return contract;
  const { description } = contract.info;
  const link = `[What changed, version by version](${PAGE})`;
  return {
    ...contract,
    info: { ...contract.info, description: description === undefined ? link : `${link}\n\n${description}` },
  };
}
