/** Emits contract.json: the bundled document in document order, as the runtime, the docs and later comparisons read it. */
export function emitContractJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
