/** A piece of JSON text, and what it is; without a kind, the signs and spaces between values. */
export interface JsonToken {
  readonly text: string;
  readonly kind?: "attr" | "string" | "literal" | "number";
}

const TOKEN =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(?<!\w)-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)/g;

/** Splits JSON for highlighting. Joined, the texts are the given one. It runs in browsers, too. */
export function splitJson(code: string): readonly JsonToken[] {
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const { 0: token, 1: text = token, 2: colon, 3: word, index } of code.matchAll(TOKEN)) {
    const isText = token.startsWith('"');
    const kind = colon !== undefined ? "attr" : isText ? "string" : word ? "literal" : "number";
    if (index > end) tokens.push({ text: code.slice(end, index) });
    tokens.push({ text, kind });
    end = index + text.length;
  }
  return end < code.length ? [...tokens, { text: code.slice(end) }] : tokens;
}
