import { isReplacementUrl, type Lifecycle, showInstant } from "tenon/core/document";
import { type Html, html, linkTo } from "./html.js";
import { toOperationId } from "./ids.js";

/** Renders the state of a lifecycle in a heading, above {@link renderLifecycle}. */
export function renderState(lifecycle: Lifecycle | undefined, now: number): Html | undefined {
  if (lifecycle === undefined) return undefined;
  const { deprecated, stability } = lifecycle;
  return html`${stability !== "stable" && html` <span class="mark unstable">${stability}</span>`}${
    deprecated &&
    html` <span class="mark deprecated">${isGone(lifecycle, now) ? "gone" : "deprecated"}</span>`
  }`;
}

export function isGone({ sunset }: Lifecycle, now: number): boolean {
  return sunset !== undefined && sunset <= now;
}

/** Renders a lifecycle in the line of a name. */
export function renderBadges(lifecycle: Lifecycle | undefined): Html | undefined {
  if (lifecycle === undefined) return undefined;
  const { since, sunset, replacedBy } = lifecycle;
  return html`${renderState(lifecycle, 0)}${since !== undefined && html` <span class="note">since ${renderDay(since)}</span>`}${
    sunset !== undefined && html` <span class="note">until ${renderDay(sunset)}</span>`
  }${replacedBy !== undefined && html` <span class="note">use <code>${replacedBy}</code></span>`}`;
}

function renderDay(instant: number): Html {
  return html`<time datetime="${showInstant(instant)}">${showInstant(instant)}</time>`;
}

/**
 * Renders what callers of an operation have to know of its lifecycle: when it ends, and what to use instead. The page's script says so
 * when the day has passed.
 */
export function renderLifecycle(lifecycle: Lifecycle | undefined, now: number): Html | undefined {
  if (lifecycle === undefined || (!lifecycle.deprecated && lifecycle.stability === "stable"))
    return undefined;
  const { deprecated, stability, since, sunset, replacedBy } = lifecycle;
  if (!deprecated)
    return html`<p class="callout unstable">
      This operation is <strong>${stability}</strong>: it may change.
    </p> `;
  const hasEnded = isGone(lifecycle, now);
  const link =
    replacedBy === undefined
      ? undefined
      : isReplacementUrl(replacedBy)
        ? html`<code>${replacedBy}</code>`
        : html`<a href="${linkTo(toOperationId({ id: replacedBy }))}">${replacedBy}</a>`;
  return html`<p class="callout deprecated" ${sunset !== undefined && html` data-sunset="${sunset}"`}>
    <strong>${hasEnded ? "Gone. Deprecated" : "Deprecated"}</strong>${
      since !== undefined && html` since ${renderDay(since)}`
    }${sunset !== undefined && html`; <span class="end">${hasEnded ? "was removed on" : "will be removed on"}</span> ${renderDay(sunset)}`}.${
      link !== undefined && html` Use ${link} instead.`
    }
  </p> `;
}
