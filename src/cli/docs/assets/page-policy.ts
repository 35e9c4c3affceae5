/** Creates the Content-Security-Policy of a page: nothing may be loaded, called or sent except what `allowed` names. */
export function createPolicy(allowed: Readonly<Record<string, string>>): string {
  const directives = { "default-src": "'none'", ...allowed, "base-uri": "'none'", "form-action": "'none'" };
  return Object.entries(directives)
    .map((directive) => directive.join(" "))
    .join("; ");
}

const ALLOWED = {
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "data:",
};

/**
 * The policy of the site's pages: its own scripts and styles, and pictures inside them. Nothing comes from another host or by
 * fetch, and no worker runs.
 */
export const PAGE_POLICY = createPolicy(ALLOWED);

/** The policy of a page that waits for the service to come back. */
export const RELOADING_POLICY = createPolicy({ ...ALLOWED, "connect-src": "'self'" });
