import { isIPv6 } from "./ip-address.js";

/** The parts of a URI reference: scheme, authority, path, query and fragment (RFC 3986, appendix B). */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/;

const SCHEME = /^[a-z][a-z\d+.-]*$/i;

/** User information, host and port. */
const AUTHORITY =
  /^(?:(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*@)?(?:\[([^\]]*)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** A later version of IP. */
const FUTURE = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

const PATH = /^(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*$/i;

const QUERY = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*$/i;

/**
 * The formats `uri` and `uri-reference` exactly as RFC 3986 has them. The validator's own accept `http://[::1` and `a:%zz`.
 * @see https://www.rfc-editor.org/rfc/rfc3986#appendix-A
 */
export const URI_FORMATS = {
  uri: (text: string): boolean => isReference(text, true),
  "uri-reference": (text: string): boolean => isReference(text, false),
};

function isReference(text: string, needsScheme: boolean): boolean {
  const [, scheme, authority, path = "", query = "", fragment = ""] = PARTS.exec(text) ?? [];
  return (
    (scheme === undefined ? !needsScheme && !path.startsWith(":") : SCHEME.test(scheme)) &&
    (authority === undefined || isAuthority(authority)) &&
    [PATH.test(path), QUERY.test(query), QUERY.test(fragment)].every(Boolean)
  );
}

function isAuthority(authority: string): boolean {
  const found = AUTHORITY.exec(authority);
  const [, address] = found ?? [];
  if (address === undefined) return found !== null;
  return FUTURE.test(address) || isIPv6(address);
}
