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
  "img-src": "'self' data:",
  "connect-src": "'self'",
};

/**
 * The policy of pages that call nothing: their own scripts, styles and pictures, and pictures inside them. Nothing comes from another
 * host, and no worker runs. A page reads its own Markdown to copy it, and waits for the service to come back.
 */
export const PAGE_POLICY = createPolicy(ALLOWED);

/**
 * The policy of the reference's pages. The console calls the page's own origin and `origins`, and shows pictures that it has received
 * (`blob:`). No script makes an element from text, and the only policy for trusted types lets the pages' script load its own files.
 */
export function createReferencePolicy(origins: readonly string[]): string {
  return createPolicy({
    ...ALLOWED,
    "img-src": "'self' data: blob:",
    "connect-src": ["'self'", ...origins].join(" "),
    "require-trusted-types-for": "'script'",
    "trusted-types": "tenon",
  });
}
