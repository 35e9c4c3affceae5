/** Creates the Content-Security-Policy of a page: nothing may be loaded, called or sent except what `allowed` names. */
export function createPolicy(allowed: Readonly<Record<string, string>>): string {
  const directives = { "default-src": "'none'", ...allowed, "base-uri": "'none'", "form-action": "'none'" };
  return Object.entries(directives)
    .map((directive) => directive.join(" "))
    .join("; ");
}

/** Redoc's styles start as an empty element and are then written through the object model, which needs no permission. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** The one style sheet that Redoc 2.5.4 writes as text: that of scroll bars which are not used here. Another one is not let in. */
const SCROLL_BAR_STYLE = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

const ALLOWED = {
  "script-src": "'self'",
  "style-src": `'self' ${EMPTY_STYLE} ${SCROLL_BAR_STYLE}`,
  "img-src": "data:",
};

/**
 * The policy of the site's pages: its own scripts and styles, and pictures inside them. Nothing comes from another host or by
 * fetch, and no worker runs.
 */
export const PAGE_POLICY = createPolicy(ALLOWED);

/** The policy of a page that waits for the service to come back. */
export const RELOADING_POLICY = createPolicy({ ...ALLOWED, "connect-src": "'self'" });
