import { resolve } from "node:path";
import { getOwn, isNode, toText } from "tenon/core/document";
import { escapeXml } from "../../output/markup.js";
import type { Accent, DocsSettings } from "../../project/index.js";
import { loadStyles } from "../assets/assets.js";
import { type DocsFile, toFile } from "../assets/docs-file.js";
import type { Brand } from "../render/frame.js";
import type { Attachments } from "../guides/attachments.js";

const ICON = "favicon.svg";

/** The accent of `palette.css`. */
const ACCENT: Accent = { light: "#0550ae", dark: "#79b8ff" };

export interface BrandOptions {
  readonly settings: DocsSettings | undefined;
  readonly attachments: Attachments;
  /** Absolute path of the contract's folder, for the picture of its `x-logo`. */
  readonly folder: string;
}

/** Finds what the pages of an API's site have of their own: that of redocly.yaml, else the contract's `x-logo`. */
export function createBrand(info: object, { settings, attachments, folder }: BrandOptions): Brand {
  const { logo: file, favicon, links = [] } = settings ?? {};
  const declared = getOwn(info, "x-logo");
  const { url, altText } = isNode(declared) ? declared : {};
  const written = toText(url) ?? "";
  const own = file === undefined ? written : attachments.add(file);
  const isFile = file === undefined && written !== "" && !/^[a-z][a-z\d+.-]*:/i.test(written);
  const logo = isFile ? attachments.add(resolve(folder, written)) : own;
  return {
    // Pages load nothing from other hosts.
    ...(logo !== undefined &&
      /^(?:data:image\/|files\/)/.test(logo) && { logo: { src: logo, text: toText(altText) ?? "" } }),
    icon: (favicon === undefined ? undefined : attachments.add(favicon)) ?? ICON,
    links,
  };
}

/** Creates the icon that a site has by itself: the first letter of its title. */
export function createIcon(title: string, { light }: Accent = ACCENT): DocsFile {
  const letter = escapeXml(/^./u.exec(title.trim())?.[0].toUpperCase() ?? "");
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="${light}"/>
<text x="16" y="23" fill="#fff" font-family="system-ui, sans-serif" font-size="20" font-weight="700" text-anchor="middle">${letter}</text>
</svg>
`;
  return toFile(ICON, text);
}

/** Creates the style sheet of the reference with its accent. */
export function createStyles(accent: Accent | undefined): DocsFile {
  const own = accent && `\n:root {\n  --link: light-dark(${accent.light}, ${accent.dark});\n}\n`;
  return toFile("docs.css", loadStyles("layout", "text", "reference", "code") + (own ?? ""));
}
