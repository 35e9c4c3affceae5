/** Redoc's styles start as an empty element and are then written through the object model, which needs no permission. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** The one style sheet that Redoc 2.5.4 writes as text: that of scroll bars which are not used here. Another one is not let in. */
const SCROLL_BAR_STYLE = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

/**
 * What the page may load, as a `<meta>` element can say it: the site's own scripts and styles, and pictures inside them.
 * Nothing from any other host, nothing by fetch, and no worker.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${EMPTY_STYLE} ${SCROLL_BAR_STYLE}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** @param reload The page waits for the service to come back. */
export function createPagePolicy(reload: boolean): string {
  return reload ? `${PAGE_POLICY}; connect-src 'self'` : PAGE_POLICY;
}
