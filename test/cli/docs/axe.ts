import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * What of a page, as it is now, hinders people in using it, as axe finds it: contrast among it.
 * @param impacts Default: all.
 */
export async function findBarriers(page: Page, impacts?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  // Preloading would fetch style sheets, which the pages' policy forbids.
  const violations = await page.evaluate<readonly Violation[]>(
    'axe.run(document, { preload: false, resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return violations
    .filter(({ impact }) => impacts?.includes(impact) ?? true)
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n${failureSummary}`),
    );
}
