/** Creates the Content-Security-Policy of a page: nothing may be loaded, called or sent except what `allowed` names. */
export function createPolicy(allowed: Readonly<Record<string, string>>): string {
  const directives = { "default-src": "'none'", ...allowed, "base-uri": "'none'", "form-action": "'none'" };
  return Object.entries(directives)
    .map((directive) => directive.join(" "))
    .join("; ");
}

/**
 * The policy of the site's pages: its own scripts, styles and pictures, and pictures inside them. Nothing comes from another host,
 * and no worker runs. A page reads its own Markdown to copy it, and waits for the service to come back.
 */
export const PAGE_POLICY = createPolicy({
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
});
