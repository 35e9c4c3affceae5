/**
 * The address of the next page by the value of a `Link` header (RFC 8288), as it stands there:
 * `</v1/pets?cursor=7>; rel="next"` is `/v1/pets?cursor=7`.
 */
export function findNextLink(link: string): string | undefined {
  for (const [, address = "", parameters = ""] of link.matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next\b/i.test(parameters)) return address;
  }
  return undefined;
}
