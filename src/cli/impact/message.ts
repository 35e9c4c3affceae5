import ts from "#typescript";

/** The text of an object type without a name. A short one tells something; the handlers of a service fill the screen. */
const LONG_TYPE = /'\{[^']{60,}'/g;

/** What the compiler says, on one line: `Property 'deletePet' is missing in type '{ … }' but required in type 'Handlers<…>'.` */
export function toMessage({ messageText }: Pick<ts.Diagnostic, "messageText">): string {
  return ts.flattenDiagnosticMessageText(messageText, " ").replace(/\s+/g, " ").replace(LONG_TYPE, "'{ … }'");
}
