import { findResponse } from "../target.js";
import type { Check, Finding } from "./check.js";

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the successor's `Link` (RFC 5829). Where the contract has the date and
 * declares the header, it has to be there; where it comes, it has to say what the contract says.
 */
export const checkDeprecation: Check = (
  { draft: { operation }, answer: { status, headers } },
  { target },
) => {
  const { deprecation } = operation;
  if (deprecation === undefined) return [];
  const { since, sunset, successor } = deprecation;
  const declared = (findResponse(operation, status)?.headers ?? []).map(({ name }) => name.toLowerCase());
  const compare = (name: string, wanted: string, isRight: (text: string) => boolean): readonly Finding[] => {
    const given = headers[name.toLowerCase()];
    const text = Array.isArray(given) ? given.join(", ") : given;
    if (text === undefined ? !declared.includes(name.toLowerCase()) : isRight(text)) return [];
    const message = `${name} of ${status} is ${text === undefined ? "missing" : JSON.stringify(text)}; by the contract it is ${wanted}`;
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
  if (successor !== undefined && declared.includes("link")) {
    const wanted = `<…${successor}>; rel="successor-version"`;
    const path = `${target.basePath}${successor}`;
    findings.push(...compare("Link", wanted, (text) => linksTo(text, path)));
  }
  return findings;
};

/** Whether one of the links is the successor's; its address may be whole or below another base. */
function linksTo(text: string, path: string): boolean {
  const [, ...segments] = path.split("/");
  const [last = ""] = segments.slice(-1);
  return text
    .split(/,\s*(?=<)/)
    .some((link) => /rel="?[^"]*successor-version/.test(link) && link.split(">", 1)[0]?.includes(`/${last}`));
}
