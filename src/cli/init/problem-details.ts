/** Media type of RFC 9457. */
const MEDIA_TYPE = "application/problem+json";

type Change = readonly [from: string | RegExp, to: string];

/** The parts of the template that contain the error body, by file. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  "openapi/v1.yaml": [
    [/application\/json:(?=\s+schema: \{ \$ref: "#\/components\/schemas\/Error" \})/g, `${MEDIA_TYPE}:`],
    ["required: [code, message, status]", "required: [code, detail, status]"],
    [/ message:(?=\s+type: string\s+description: A description of the error)/, " detail:"],
  ],
  "redocly.yaml": [["    schema: Error\n", `    schema: Error\n    mediaType: ${MEDIA_TYPE}\n`]],
  "src/app.ts": [
    ["{ errorBody: toErrorBody }", `{ errorBody: toErrorBody, errorMediaType: "${MEDIA_TYPE}" }`],
    ["return { code, message, status }", "return { code, detail: message, status }"],
  ],
  "src/main.ts": [
    ["  errorBody: toErrorBody,\n", `  errorBody: toErrorBody,\n  errorMediaType: "${MEDIA_TYPE}",\n`],
  ],
  "src/handlers/notes.ts": [["message: `No note", "detail: `No note"]],
};

/**
 * Changes a file of the template so that errors are problem details (RFC 9457).
 * @param path Path in the template, with `/`.
 * @throws {Error} when the template does not have a text that changes.
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export function toProblemDetails(path: string, text: string): string {
  return (CHANGES[path] ?? []).reduce((before, [from, to]) => {
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${path} of the template does not contain ${String(from)}`);
    return after;
  }, text);
}
