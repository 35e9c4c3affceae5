import { findResponse } from "tenon/core/http";
import { getHeader } from "../messages/index.js";
import type { Check, Finding } from "./finding.js";

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the successor's `Link` (RFC 5829). Where the contract has the date and
 * declares the header, the header has to be present; a header that is present has to have the contract's value.
 */
export const checkDeprecation: Check = ({ testCase: { operation }, response }, { basePath }) => {
  const { lifecycle } = operation;
  if (lifecycle?.deprecated !== true) return [];
  const { status } = response;
  const { since, sunset } = lifecycle;
  const declared = (findResponse(operation.responses, status)?.headers ?? []).map(({ name }) =>
    name.toLowerCase(),
  );
  const compare = (name: string, wanted: string, isRight: (text: string) => boolean): readonly Finding[] => {
    const text = getHeader(response, name);
    if (text === undefined ? !declared.includes(name.toLowerCase()) : isRight(text)) return [];
    const message = `${name} of ${status} is ${text === undefined ? "missing" : JSON.stringify(text)}; the contract says ${wanted}`;
    return [{ check: "deprecation", message, detail: `${name} ${text === undefined ? "missing" : "other"}` }];
  };
  const findings: Finding[] = [];
  if (since !== undefined) {
    const wanted = `@${Math.floor(since / 1000)}`;
    findings.push(...compare("Deprecation", wanted, (text) => text === wanted));
  }
  if (sunset !== undefined) {
    const wanted = new Date(sunset).toUTCString();
    findings.push(...compare("Sunset", wanted, (text) => text === wanted));
  }
  const successor = operation.successor?.path;
  // A path with parameters is not an address.
  if (successor !== undefined && !successor.includes("{") && declared.includes("link")) {
    const wanted = `<…${successor}>; rel="successor-version"`;
    const path = `${basePath}${successor}`;
    findings.push(...compare("Link", wanted, (text) => linksTo(text, path)));
  }
  return findings;
};

/** Tests whether one of the links is the successor's. Its address may be absolute, or have another base. */
function linksTo(text: string, path: string): boolean {
  const [, ...segments] = path.split("/");
  const [last = ""] = segments.slice(-1);
  return text
    .split(/,\s*(?=<)/)
    .some((link) => /rel="?[^"]*successor-version/.test(link) && link.split(">", 1)[0]?.includes(`/${last}`));
}
