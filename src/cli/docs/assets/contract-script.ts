/**
 * A script that gives a page its contract as it is now. Of contracts that follow each other, each holds from an instant on, in
 * milliseconds since 1970; the first holds before, too.
 */
export function toDatedScript(contracts: readonly (readonly [from: number, contract: object])[]): string {
  const [[, first] = [0, {}], ...others] = contracts;
  const later = others.map(
    ([from, contract]) => `if (Date.now() >= ${from}) ${toContractScript(contract).trimEnd()}\n`,
  );
  return [toContractScript(first), ...later].join("");
}

/**
 * A script that gives a page its contract, because a page opened from a folder may not fetch.
 * Parsed from a string, because in a literal a member called `__proto__` would set the prototype.
 */
export function toContractScript(contract: object): string {
  const literal = JSON.stringify(JSON.stringify(contract));
  return `globalThis.contract = JSON.parse(${literal.replaceAll("<", "\\u003c")});\n`;
}
