import ts from "#typescript";

/** What the compiler says, on one line. */
export function toMessage({ messageText }: Pick<ts.Diagnostic, "messageText">): string {
  return ts.flattenDiagnosticMessageText(messageText, " ").replace(/\s+/g, " ");
}
