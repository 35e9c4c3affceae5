import { type Html, html } from "./html.js";

export interface Panel {
  readonly label: string;
  readonly content: Html;
  /** Class of the label: that of a status. */
  readonly kind?: string | undefined;
}

/** Renders panels below each other with headings, which the script makes tabs; a single one has no heading. */
export function renderTabs(
  panels: readonly Panel[],
  { name, group }: { readonly name: string; readonly group?: string },
): Html {
  const [only, ...others] = panels;
  if (only === undefined) return html``;
  if (others.length === 0 && group === undefined) return only.content;
  return html`<div class="tabs" data-name="${name}" ${group !== undefined && html` data-group="${group}"`}>
    ${panels.map(
      ({ label, content, kind }) =>
        html`<section class="panel" data-label="${label}" ${kind !== undefined && html` data-kind="${kind}"`}>
          <p class="label">${label}</p>
          ${content}
        </section> `,
    )}
  </div> `;
}
