/** Output formats. */
export const CHANGELOG_FORMATS = ["markdown", "json", "html"] as const;

export type ChangelogFormat = (typeof CHANGELOG_FORMATS)[number];

export interface ChangelogOptions {
  /** `v1.0.0..v2.0.0`, or `v1.0.0..` up to the working tree. Default: all version tags, and the working tree. */
  readonly range?: string;
  /** Name of the API of redocly.yaml. Default: the only one. */
  readonly api?: string;
  /** A git pattern for tags of another form than `v1.2.3`. */
  readonly tags?: string;
  /** Default: by the extension of `out`, else markdown. */
  readonly format?: ChangelogFormat;
  /** File to write instead of standard output, relative to the project. */
  readonly out?: string;
}
