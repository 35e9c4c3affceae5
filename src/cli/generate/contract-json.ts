/** Emits contract.json: the bundled document in document order, for the runtime, the docs and comparisons. */
export function emitContractJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
