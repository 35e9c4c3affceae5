/**
 * Marks an address in a sample: it may depend on the address of the page, which is unknown when samples are written. Unicode keeps the
 * character for private use.
 */
export const MARK = "\u{E000}";

/** Marks the address of a server, which may be relative to the page, between two characters: encoded, so that quoting leaves it. */
export function markAddress(url: string): string {
  return `${MARK}${encodeURIComponent(url.toWellFormed()).replaceAll("'", "%27")}${MARK}`;
}

/** The address of a service at an unknown place (RFC 2606, section 3). */
const UNKNOWN = "https://service.example";

/**
 * Returns the address that samples call where that of the page is unknown, or is a folder on disk: their own when it is absolute,
 * otherwise that of the first server that has an absolute one.
 */
export function toSampleAddress(url: string, servers: readonly string[]): string {
  const known = [url, ...servers].flatMap((one) => toAddress(one) ?? []);
  return known[0] ?? toAddress(url, UNKNOWN) ?? UNKNOWN;
}

/**
 * Completes an address, without a slash at its end, as paths begin with one. A template with open variables stays one.
 * @param page Default: none, for which relative addresses have no result.
 * @returns undefined for an address of another scheme than HTTP.
 */
export function toAddress(url: string, page?: string): string | undefined {
  const address = /[{}]/.test(url) ? url : URL.canParse(url, page) ? new URL(url, page).href : "";
  // A template that does not begin so could be an option of curl's.
  return /^https?:/.test(address) ? withoutQuotes(address.replace(/\/$/, "")) : undefined;
}

/** In a sample, an address is within quotes of a shell or a script, where these would mean something, or end the line. */
function withoutQuotes(url: string): string {
  return url.replaceAll(
    /[\n\r"'$`\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
