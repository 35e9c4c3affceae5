/**
 * Marks an address in a sample: it may depend on the address of the page, which is unknown when samples are written. Unicode keeps the
 * character for private use.
 */
const MARK = "\u{E000}";

/** Marks the address of a server, which may be relative to the page, between two characters. */
export function markAddress(url: string): string {
  return `${MARK}${url.replaceAll(MARK, "")}${MARK}`;
}

/**
 * Completes an address, without a slash at its end, as paths begin with one. A template with open variables stays one.
 * @returns undefined for an address of another scheme than HTTP.
 */
export function toAddress(url: string, page: string): string | undefined {
  if (/[{}]/.test(url)) return url;
  try {
    const { href, protocol } = new URL(url, page);
    return /^https?:$/.test(protocol) ? href.replace(/\/$/, "") : undefined;
  } catch {
    return undefined;
  }
}
