/**
 * A script that gives a page its contract, because a page opened from a folder may not fetch.
 * Parsed from a string, because in a literal a member called `__proto__` would set the prototype.
 */
export function toScript(contract: object): string {
  const literal = JSON.stringify(JSON.stringify(contract));
  return `globalThis.contract = JSON.parse(${literal.replaceAll("<", "\\u003c")});\n`;
}
